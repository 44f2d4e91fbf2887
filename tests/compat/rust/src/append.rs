//! Appending: rows, Arrow batches, acknowledgements, idempotence, and which bucket a key goes to.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Int32Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType as ArrowType, Field, Schema as ArrowSchema};
use fluss::client::{EARLIEST_OFFSET, FlussTable};
use fluss::config::NoKeyAssigner;
use fluss::metadata::{DataType, DataTypes, Schema};
use fluss::row::{DataGetters, Date, Datum, Decimal, GenericRow, Time, TimestampLtz, TimestampNtz};

use crate::harness::{Context, Failure, Outcome, drain};
use crate::render;
use crate::table::id_and_name;

crate::cases!(
    append_rows,
    append_arrow,
    append_acks,
    append_idempotent,
    append_without_a_key,
    append_large_values,
    append_not_null,
    bucket_of_each_key,
    bucket_of_two_keys,
);

pub async fn append_ids(table: &FlussTable<'_>, ids: std::ops::Range<i32>) -> Outcome {
    let writer = table.new_append()?.create_writer()?;
    for id in ids {
        writer.append(&GenericRow::from_data(vec![id]))?;
    }
    Ok(writer.flush().await?)
}

pub fn only_id() -> Result<Schema, Failure> {
    Ok(Schema::builder().column("id", DataTypes::int()).build()?)
}

async fn show(ctx: &Context, table: &FlussTable<'_>, count: usize) -> Outcome {
    for (bucket, record) in ctx.read(table, count).await? {
        let row = render::row(record.row(), table.get_table_info().get_schema())?;
        ctx.say(format!("bucket {bucket} offset {} {} {row}", record.offset(), record.change_type().short_string()));
    }
    Ok(())
}

async fn append_rows(ctx: &Context) -> Outcome {
    let table = ctx.create("t", id_and_name()?, |b| b).await?;
    let writer = table.new_append()?.create_writer()?;
    for (id, name) in [(Some(1), Some("one")), (Some(2), None), (None, Some("")), (None, None)] {
        let mut row = GenericRow::new(2);
        if let Some(id) = id {
            row.set_field(0, id);
        }
        if let Some(name) = name {
            row.set_field(1, name);
        }
        writer.append(&row)?.await?;
    }
    show(ctx, &table, 4).await?;
    let times: Vec<i64> = ctx.read(&table, 4).await?.iter().map(|(_, record)| record.timestamp()).collect();
    ctx.say(format!("commit times grow: {}", times.is_sorted() && times[0] > 1_600_000_000_000));
    Ok(())
}

fn batch(ids: &[Option<i32>], names: &[Option<&str>]) -> Result<RecordBatch, Failure> {
    let fields = vec![Field::new("id", ArrowType::Int32, true), Field::new("name", ArrowType::Utf8, true)];
    let (ids, names) = (Int32Array::from(ids.to_vec()), StringArray::from(names.to_vec()));
    Ok(RecordBatch::try_new(Arc::new(ArrowSchema::new(fields)), vec![Arc::new(ids), Arc::new(names)])?)
}

async fn append_arrow(ctx: &Context) -> Outcome {
    let table = ctx.create("t", id_and_name()?, |b| b.distributed_by(Some(2), vec!["id".into()])).await?;
    let writer = table.new_append()?.create_writer()?;
    let first = batch(&[Some(1), Some(2), Some(3), Some(4)], &[Some("x"), None, Some("z"), Some("")])?;
    writer.append_arrow_batch(first)?.await?;
    writer.append_arrow_batch(batch(&[Some(5)], &[Some("one row")])?)?.await?;
    show(ctx, &table, 5).await?;
    let narrow = batch(&[Some(1)], &[None])?.project(&[0])?;
    ctx.attempt("a batch with a column less", writer.append_arrow_batch(narrow).map(drop));
    Ok(())
}

async fn append_acks(ctx: &Context) -> Outcome {
    ctx.create("t", only_id()?, |b| b).await?;
    let mut expected = 0;
    for acks in ["0", "1", "-1", "all"] {
        let connection = ctx
            .connect(|c| {
                c.writer_acks = acks.to_string();
                c.writer_enable_idempotence = false;
            })
            .await?;
        let table = connection.get_table(&ctx.path("t")).await?;
        append_ids(&table, 0..10).await?;
        expected += 10;
        // acks 0 is not answered, so the rows are awaited by reading.
        let found = ctx.read(&table, expected).await?;
        ctx.say(format!("acks {acks}: {} rows up to offset {}", found.len(), found[expected - 1].1.offset()));
    }
    Ok(())
}

async fn append_idempotent(ctx: &Context) -> Outcome {
    ctx.create("t", only_id()?, |b| b).await?;
    for idempotent in [true, false] {
        let connection = ctx
            .connect(|c| {
                c.writer_enable_idempotence = idempotent;
                c.writer_dynamic_batch_size_enabled = false;
                c.writer_dynamic_batch_size_min = 2048;
                c.writer_batch_size = 2048;
            })
            .await?;
        let table = connection.get_table(&ctx.path("t")).await?;
        append_ids(&table, 0..5000).await?;
        ctx.say(format!("idempotent {idempotent}: ends at {:?}", ctx.latest(&table).await?));
    }
    let table = ctx.connection.get_table(&ctx.path("t")).await?;
    let found = ctx.read(&table, 10_000).await?;
    let gapless = found.iter().enumerate().all(|(i, (_, record))| record.offset() == i as i64);
    let ids: Result<Vec<i32>, _> = found.iter().map(|(_, record)| record.row().get_int(0)).collect();
    ctx.say(format!("offsets without gaps: {gapless}"));
    ctx.say(format!("idempotent rows in order: {}", ids?[..5000].iter().copied().eq(0..5000)));
    Ok(())
}

async fn append_without_a_key(ctx: &Context) -> Outcome {
    ctx.create("t", only_id()?, |b| b.distributed_by(Some(4), vec![])).await?;
    for assigner in [NoKeyAssigner::RoundRobin, NoKeyAssigner::Sticky] {
        let connection = ctx.connect(|c| c.writer_bucket_no_key_assigner = assigner).await?;
        let table = connection.get_table(&ctx.path("t")).await?;
        append_ids(&table, 0..400).await?;
        let ends = ctx.latest(&table).await?;
        ctx.say(format!("{assigner}: rows in all {}", ends.iter().sum::<i64>()));
        if assigner == NoKeyAssigner::RoundRobin {
            ctx.say(format!("{assigner}: rows per bucket {ends:?}"));
        }
    }
    Ok(())
}

async fn append_large_values(ctx: &Context) -> Outcome {
    let schema = Schema::builder().column("id", DataTypes::int()).column("data", DataTypes::bytes()).build()?;
    let table = ctx.create("t", schema, |b| b).await?;
    let writer = table.new_append()?.create_writer()?;
    let sizes = [0, 1, 65_535, 65_536, 1_000_000, 3_000_000];
    for (i, size) in sizes.iter().enumerate() {
        let row = GenericRow::from_data(vec![Datum::from(i as i32), Datum::from(vec![i as u8; *size])]);
        writer.append(&row)?.await?;
    }
    for (i, (_, record)) in ctx.read(&table, sizes.len()).await?.iter().enumerate() {
        let data = record.row().get_bytes(1)?;
        ctx.say(format!("{i}: {} bytes, equal {}", data.len(), data == vec![i as u8; sizes[i]]));
    }
    Ok(())
}

async fn append_not_null(ctx: &Context) -> Outcome {
    let schema = Schema::builder().column("id", DataTypes::int().as_non_nullable()).build()?;
    let table = ctx.create("t", schema, |b| b).await?;
    let writer = table.new_append()?.create_writer()?;
    ctx.attempt("a null in a NOT NULL column", writer.append(&GenericRow::new(1)).map(drop));
    ctx.attempt("too many values", writer.append(&GenericRow::from_data(vec![1, 2])).map(drop));
    Ok(())
}

/// A kind of key, its type and its values.
type Keys = Vec<(&'static str, DataType, Vec<Datum<'static>>)>;

fn datums<T: Into<Datum<'static>>>(values: impl IntoIterator<Item = T>) -> Vec<Datum<'static>> {
    values.into_iter().map(Into::into).collect()
}

fn number_keys() -> Keys {
    vec![
        ("bool", DataTypes::boolean(), datums([true, false])),
        ("tinyint", DataTypes::tinyint(), datums([-128_i8, -1, 0, 1, 127])),
        ("smallint", DataTypes::smallint(), datums([-32768_i16, -1, 0, 1, 32767])),
        ("int", DataTypes::int(), datums([i32::MIN, -1, 0, 1, 2, 3, i32::MAX])),
        ("bigint", DataTypes::bigint(), datums([i64::MIN, -1, 0, 1, 1 << 40, i64::MAX])),
        ("float", DataTypes::float(), datums([-1.5_f32, 0.0, 3.25])),
        ("double", DataTypes::double(), datums([-1.5_f64, 0.0, 1e300])),
    ]
}

fn other_keys() -> Result<Keys, Failure> {
    let decimal =
        |unscaled: i128, precision, scale| Decimal::from_unscaled_bytes(&unscaled.to_be_bytes(), precision, scale);
    let late = TimestampNtz::from_millis_nanos(1_372_899_723_004, 5000)?;
    Ok(vec![
        ("string", DataTypes::string(), datums(["", "a", "UA", "äöü", "漢字"])),
        ("char", DataTypes::char(4), datums(["abcd", "a"])),
        ("bytes", DataTypes::bytes(), datums([vec![], vec![0_u8], vec![255, 0, 1]])),
        ("binary", DataTypes::binary(3), datums([vec![0_u8, 0, 0], b"abc".to_vec()])),
        ("decimal", DataTypes::decimal(10, 2), datums([decimal(-125, 10, 2)?, decimal(0, 10, 2)?])),
        ("wide_decimal", DataTypes::decimal(38, 10), datums([decimal(-125, 38, 10)?, decimal(1 << 100, 38, 10)?])),
        ("date", DataTypes::date(), datums([Date::new(-1), Date::new(15_890)])),
        ("time", DataTypes::time(), datums([Time::new(0), Time::new(86_399_000)])),
        ("timestamp_3", DataTypes::timestamp_with_precision(3), datums([TimestampNtz::new(-1), TimestampNtz::new(7)])),
        ("timestamp_9", DataTypes::timestamp_with_precision(9), datums([TimestampNtz::new(-1), late])),
        ("ltz_3", DataTypes::timestamp_ltz_with_precision(3), datums([TimestampLtz::new(1_372_896_000_000)])),
    ])
}

async fn bucket_of_each_key(ctx: &Context) -> Outcome {
    for (kind, of, keys) in number_keys().into_iter().chain(other_keys()?) {
        let schema = Schema::builder().column("k", of.clone()).build()?;
        let name = format!("t_{kind}");
        let table = ctx.create(&name, schema, |b| b.distributed_by(Some(16), vec!["k".into()])).await?;
        let writer = table.new_append()?.create_writer()?;
        let count = keys.len();
        for key in keys {
            writer.append(&GenericRow::from_data(vec![key]))?;
        }
        writer.flush().await?;
        let mut placed = BTreeMap::new();
        for (bucket, record) in ctx.read(&table, count).await? {
            placed.insert(render::value(record.row(), 0, &of)?, bucket);
        }
        for (key, bucket) in placed {
            ctx.say(format!("{kind} {key} -> {bucket}"));
        }
    }
    Ok(())
}

async fn bucket_of_two_keys(ctx: &Context) -> Outcome {
    let schema = id_and_name()?;
    let table = ctx.create("t", schema, |b| b.distributed_by(Some(8), vec!["name".into(), "id".into()])).await?;
    let writer = table.new_append()?.create_writer()?;
    let names = ["x", "y", "z"];
    let ids: Vec<Option<i32>> = (0..12).map(Some).collect();
    let of_ids: Vec<Option<&str>> = (0..12).map(|i| Some(names[i % 3])).collect();
    writer.append_arrow_batch(batch(&ids, &of_ids)?)?.await?;
    for i in 0..12 {
        writer.append(&GenericRow::from_data(vec![Datum::from(i), Datum::from(names[i as usize % 3])]))?;
    }
    writer.flush().await?;
    let scanner = table.new_scan().create_log_scanner()?;
    scanner.subscribe_buckets(&(0..8).map(|bucket| (bucket, EARLIEST_OFFSET)).collect()).await?;
    let mut placed: BTreeMap<(String, i32), Vec<i32>> = BTreeMap::new();
    for (bucket, record) in drain(&scanner, 24).await? {
        let key = (record.row().get_string(1)?.to_string(), record.row().get_int(0)?);
        placed.entry(key).or_default().push(bucket);
    }
    for (key, buckets) in placed {
        ctx.say(format!("{key:?} as Arrow and as a row -> {buckets:?}"));
    }
    Ok(())
}
