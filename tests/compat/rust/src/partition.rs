//! Partitions. The Rust client has no dynamic creation: a writer needs its partition to exist.

use fluss::client::EARLIEST_OFFSET;
use fluss::metadata::{DataType, DataTypes, Schema, TablePath};
use fluss::row::{Date, Datum, GenericRow, Time, TimestampLtz, TimestampNtz};
use fluss::rpc::message::OffsetSpec;

use crate::harness::{Context, Failure, Outcome, drain, spec};
use crate::render;

crate::cases!(
    partition_create_list_drop,
    partition_errors,
    partition_two_keys,
    partition_append_and_scan,
    partition_key_types,
);

fn schema(keys: &[(&str, DataType)]) -> Result<Schema, Failure> {
    let start = Schema::builder().column("id", DataTypes::int());
    Ok(keys.iter().fold(start, |b, (name, of)| b.column(*name, of.clone())).build()?)
}

fn region() -> Result<Schema, Failure> {
    schema(&[("region", DataTypes::string())])
}

async fn names(ctx: &Context, path: &TablePath, filter: &[(&str, &str)]) -> Result<Vec<String>, Failure> {
    let filter = if filter.is_empty() { None } else { Some(spec(filter)) };
    let infos = ctx.admin.list_partition_infos_with_spec(path, filter.as_ref()).await?;
    let mut names: Vec<String> = infos.iter().map(|info| info.get_partition_name()).collect();
    names.sort();
    Ok(names)
}

async fn partition_create_list_drop(ctx: &Context) -> Outcome {
    let (admin, path) = (&ctx.admin, ctx.path("t"));
    ctx.create("t", region()?, |b| b.partitioned_by(vec!["region"])).await?;
    ctx.show("at first", names(ctx, &path, &[]).await);
    for name in ["EU", "US", "A-1_b"] {
        ctx.attempt(&format!("create {name}"), admin.create_partition(&path, &spec(&[("region", name)]), false).await);
    }
    ctx.show("then", names(ctx, &path, &[]).await);
    let eu = spec(&[("region", "EU")]);
    ctx.attempt("create again", admin.create_partition(&path, &eu, false).await);
    ctx.attempt("create again, ignoring", admin.create_partition(&path, &eu, true).await);
    ctx.attempt("drop", admin.drop_partition(&path, &eu, false).await);
    ctx.attempt("drop again", admin.drop_partition(&path, &eu, false).await);
    ctx.attempt("drop again, ignoring", admin.drop_partition(&path, &eu, true).await);
    ctx.show("at last", names(ctx, &path, &[]).await);
    Ok(())
}

async fn partition_errors(ctx: &Context) -> Outcome {
    let (admin, path, flat) = (&ctx.admin, ctx.path("t"), ctx.path("flat"));
    let keys = [("region", DataTypes::string()), ("day", DataTypes::string())];
    ctx.create("t", schema(&keys)?, |b| b.partitioned_by(vec!["region", "day"])).await?;
    ctx.create("flat", region()?, |b| b).await?;
    let refused: [(&str, &[(&str, &str)]); 7] = [
        ("no keys", &[]),
        ("one of two keys", &[("region", "EU")]),
        ("an unknown key", &[("region", "EU"), ("nope", "1")]),
        ("one key too many", &[("region", "EU"), ("day", "1"), ("id", "1")]),
        ("an empty value", &[("region", ""), ("day", "1")]),
        ("a dollar", &[("region", "a$b"), ("day", "1")]),
        ("a reserved prefix", &[("region", "__x"), ("day", "1")]),
    ];
    for (what, values) in refused {
        ctx.attempt(what, admin.create_partition(&path, &spec(values), false).await);
    }
    let any = spec(&[("region", "x")]);
    ctx.attempt("not partitioned", admin.create_partition(&flat, &any, false).await);
    ctx.attempt("list, not partitioned", names(ctx, &flat, &[]).await);
    ctx.attempt("drop, not partitioned", admin.drop_partition(&flat, &any, false).await);
    ctx.attempt("no table", admin.create_partition(&ctx.path("none"), &any, false).await);
    Ok(())
}

async fn partition_two_keys(ctx: &Context) -> Outcome {
    let path = ctx.path("t");
    let keys = [("region", DataTypes::string()), ("day", DataTypes::int())];
    ctx.create("t", schema(&keys)?, |b| b.partitioned_by(vec!["region", "day"])).await?;
    for region in ["EU", "US"] {
        for day in ["1", "2"] {
            ctx.admin.create_partition(&path, &spec(&[("day", day), ("region", region)]), false).await?;
        }
    }
    ctx.show("all", names(ctx, &path, &[]).await);
    ctx.show("by region", names(ctx, &path, &[("region", "EU")]).await);
    ctx.show("by day", names(ctx, &path, &[("day", "2")]).await);
    ctx.show("by both", names(ctx, &path, &[("region", "US"), ("day", "1")]).await);
    ctx.show("by one that is not there", names(ctx, &path, &[("region", "AS")]).await);
    Ok(())
}

async fn partition_append_and_scan(ctx: &Context) -> Outcome {
    let path = ctx.path("t");
    let table = ctx
        .create("t", region()?, |b| b.partitioned_by(vec!["region"]).distributed_by(Some(2), vec!["id".into()]))
        .await?;
    for name in ["EU", "US"] {
        ctx.create_partition(&path, &[("region", name)], 2).await?;
    }
    let writer = table.new_append()?.create_writer()?;
    for i in 0..20 {
        let region = if i % 4 == 0 { "US" } else { "EU" };
        writer.append(&GenericRow::from_data(vec![Datum::from(i), Datum::from(region)]))?;
    }
    writer.flush().await?;
    let mut infos = ctx.admin.list_partition_infos(&path).await?;
    infos.sort_by_key(|info| info.get_partition_name());
    for info in infos {
        let name = info.get_partition_name();
        let ends = ctx.list_offsets(&path, Some(&name), 2, OffsetSpec::Latest).await?;
        ctx.say(format!("{name} ends at {ends:?}"));
        let scanner = table.new_scan().create_log_scanner()?;
        for bucket in 0..2 {
            scanner.subscribe_partition(info.get_partition_id(), bucket, EARLIEST_OFFSET).await?;
        }
        for (bucket, record) in drain(&scanner, ends.iter().sum::<i64>() as usize).await? {
            let row = render::row(record.row(), table.get_table_info().get_schema())?;
            ctx.say(format!("{name} bucket {bucket} offset {} {row}", record.offset()));
        }
    }
    ctx.attempt("offsets of no partition", ctx.list_offsets(&path, Some("AS"), 1, OffsetSpec::Latest).await);
    let scanner = table.new_scan().create_log_scanner()?;
    ctx.attempt("subscribe without a partition", scanner.subscribe(0, 0).await);
    Ok(())
}

async fn partition_key_types(ctx: &Context) -> Outcome {
    let moment = TimestampNtz::from_millis_nanos(1_372_899_723_004, 5000)?;
    let instant = TimestampLtz::from_millis_nanos(1_372_899_723_000, 0)?;
    let keys: [(&str, DataType, Datum<'static>, &str); 12] = [
        ("bool", DataTypes::boolean(), Datum::from(true), "true"),
        ("tinyint", DataTypes::tinyint(), Datum::from(-5_i8), "-5"),
        ("smallint", DataTypes::smallint(), Datum::from(300_i16), "300"),
        ("int", DataTypes::int(), Datum::from(7), "7"),
        ("bigint", DataTypes::bigint(), Datum::from(1_i64 << 40), "1099511627776"),
        ("char", DataTypes::char(5), Datum::from("a_b-c"), "a_b-c"),
        ("double", DataTypes::double(), Datum::from(-2.25_f64), "-2_25"),
        ("bytes", DataTypes::bytes(), Datum::from(&[1_u8, 255][..]), "01ff"),
        ("date", DataTypes::date(), Datum::from(Date::new(15_890)), "2013-07-04"),
        ("time", DataTypes::time_with_precision(3), Datum::from(Time::new(3_723_004)), "01-02-03_004"),
        ("timestamp", DataTypes::timestamp_with_precision(9), Datum::from(moment), "2013-07-04-01-02-03_004005000"),
        ("ltz", DataTypes::timestamp_ltz(), Datum::from(instant), "2013-07-04-01-02-03_"),
    ];
    for (kind, of, key, name) in keys {
        let table_name = format!("t_{kind}");
        let made = schema(&[("k", of.clone())])?;
        let table = ctx.create(&table_name, made, |b| b.partitioned_by(vec!["k"])).await?;
        ctx.create_partition(&ctx.path(&table_name), &[("k", name)], 1).await?;
        let writer = table.new_append()?.create_writer()?;
        writer.append(&GenericRow::from_data(vec![Datum::from(1), key]))?.await?;
        let infos = ctx.admin.list_partition_infos(&ctx.path(&table_name)).await?;
        let scanner = table.new_scan().create_log_scanner()?;
        scanner.subscribe_partition(infos[0].get_partition_id(), 0, EARLIEST_OFFSET).await?;
        let (_, record) = drain(&scanner, 1).await?.remove(0);
        ctx.say(format!("{kind} {name}: {}", render::value(record.row(), 1, &of)?));
    }
    Ok(())
}
