//! Tables: creating, altering, schemas by id, and what the server refuses.

use std::collections::HashMap;

use fluss::client::EARLIEST_OFFSET;
use fluss::metadata::{
    AddColumn, AlterConfig, AlterConfigOpType, AlterTableChanges, ColumnPositionType, DataType, DataTypes, DropColumn,
    JsonSerde, LogFormat, RenameColumn, Schema, TableDescriptor, TableInfo, TablePath,
};
use fluss::row::{DataGetters, Datum, GenericRow};

use crate::harness::{Context, Failure, Outcome, drain};
use crate::render;

crate::cases!(
    table_defaults,
    table_all_options,
    table_list_exists_drop,
    table_create_errors,
    table_schema_errors,
    table_property_errors,
    table_alter_properties,
    table_alter_errors,
    table_add_column,
    table_add_not_null_column,
    table_add_reserved_column,
    table_change_columns,
    table_read_after_add_column,
    table_project_added_column,
    table_schema_by_id,
    table_log_formats,
    table_1024_buckets,
);

pub fn id_and_name() -> Result<Schema, Failure> {
    Ok(Schema::builder().column("id", DataTypes::int()).column("name", DataTypes::string()).build()?)
}

fn columns(schema: &Schema) -> String {
    let shown = |c: &fluss::metadata::Column| format!("{}:{} {}", c.id(), c.name(), c.data_type());
    schema.columns().iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn sorted(properties: &HashMap<String, String>) -> Vec<(&String, &String)> {
    let mut all: Vec<_> = properties.iter().collect();
    all.sort();
    all
}

fn describe(ctx: &Context, info: &TableInfo) {
    ctx.say(format!("path {}", info.get_table_path()));
    ctx.say(format!("schema {}: {}", info.get_schema_id(), columns(info.get_schema())));
    ctx.say(format!("buckets {} by {:?}", info.get_num_buckets(), info.get_bucket_keys()));
    ctx.say(format!("partitioned {} by {:?}", info.is_partitioned(), info.get_partition_keys()));
    ctx.say(format!("comment {:?}", info.get_comment()));
    ctx.say(format!("properties {:?}", sorted(info.get_properties())));
    ctx.say(format!("custom {:?}", sorted(info.get_custom_properties())));
}

async fn table_defaults(ctx: &Context) -> Outcome {
    ctx.create("plain", id_and_name()?, |b| b).await?;
    describe(ctx, &ctx.admin.get_table_info(&ctx.path("plain")).await?);
    Ok(())
}

async fn table_all_options(ctx: &Context) -> Outcome {
    let schema = Schema::builder()
        .column("id", DataTypes::bigint().as_non_nullable())
        .with_comment("the id")
        .column("name", DataTypes::char(10))
        .column("region", DataTypes::string())
        .build()?;
    ctx.create("full", schema, |b| {
        b.distributed_by(Some(5), vec!["id".into(), "name".into()])
            .partitioned_by(vec!["region"])
            .comment("everything set: äöü")
            .log_format(LogFormat::ARROW)
            .property("table.log.ttl", "3d")
            .property("table.log.arrow.compression.type", "LZ4_FRAME")
            .custom_property("team", "blue")
    })
    .await?;
    let info = ctx.admin.get_table_info(&ctx.path("full")).await?;
    describe(ctx, &info);
    let comments: Vec<_> = info.get_schema().columns().iter().map(|c| c.comment()).collect();
    ctx.say(format!("column comments {comments:?}"));
    Ok(())
}

async fn table_list_exists_drop(ctx: &Context) -> Outcome {
    let (admin, path) = (&ctx.admin, ctx.path("a"));
    for name in ["b", "a", "c_1"] {
        ctx.create(name, id_and_name()?, |b| b).await?;
    }
    let mut tables = admin.list_tables(&ctx.database).await?;
    tables.sort();
    ctx.say(format!("tables {tables:?}"));
    ctx.show("exists", admin.table_exists(&path).await);
    ctx.attempt("drop", admin.drop_table(&path, false).await);
    ctx.show("exists after drop", admin.table_exists(&path).await);
    ctx.attempt("drop again", admin.drop_table(&path, false).await);
    ctx.attempt("drop again, ignoring", admin.drop_table(&path, true).await);
    ctx.attempt("info", admin.get_table_info(&path).await);
    Ok(())
}

async fn table_create_errors(ctx: &Context) -> Outcome {
    let plain = TableDescriptor::builder().schema(id_and_name()?).build()?;
    ctx.attempt("create", ctx.admin.create_table(&ctx.path("t"), &plain, false).await);
    ctx.attempt("create again", ctx.admin.create_table(&ctx.path("t"), &plain, false).await);
    ctx.attempt("create again, ignoring", ctx.admin.create_table(&ctx.path("t"), &plain, true).await);
    let nowhere = TablePath::new("no_such_database", "t");
    ctx.attempt("in no database", ctx.admin.create_table(&nowhere, &plain, false).await);
    let long = "x".repeat(201);
    for name in ["", "a.b", "a b", "__t", long.as_str()] {
        let shown: String = name.chars().take(12).collect();
        ctx.attempt(&format!("named {shown:?}"), ctx.admin.create_table(&ctx.path(name), &plain, false).await);
    }
    let wide = TableDescriptor::builder().schema(id_and_name()?).distributed_by(Some(1_000_000), vec![]).build()?;
    ctx.attempt("a million buckets", ctx.admin.create_table(&ctx.path("wide"), &wide, false).await);
    Ok(())
}

async fn table_schema_errors(ctx: &Context) -> Outcome {
    let schema = |name: &str, of: DataType| Schema::builder().column(name, of).build();
    for name in ["__offset", "__timestamp", "__bucket"] {
        let made = TableDescriptor::builder().schema(schema(name, DataTypes::int())?).build()?;
        ctx.attempt(name, ctx.admin.create_table(&ctx.path("t"), &made, false).await);
    }
    let keyed = |of: DataType, key: &str| {
        let builder = TableDescriptor::builder().schema(schema("a", of)?);
        builder.distributed_by(Some(2), vec![key.to_string()]).build()
    };
    let partitioned =
        |of: DataType, key: &str| TableDescriptor::builder().schema(schema("a", of)?).partitioned_by(vec![key]).build();
    let refused = [
        ("bucket key not a column", keyed(DataTypes::int(), "nope")),
        ("bucket key an array", keyed(DataTypes::array(DataTypes::int()), "a")),
        ("partition key not a column", partitioned(DataTypes::int(), "nope")),
        ("partition key a decimal", partitioned(DataTypes::decimal(10, 2), "a")),
        ("partition key a map", partitioned(DataTypes::map(DataTypes::int(), DataTypes::int()), "a")),
    ];
    for (what, made) in refused {
        if let Some(descriptor) = ctx.attempt(&format!("descriptor: {what}"), made) {
            ctx.attempt(what, ctx.admin.create_table(&ctx.path("t"), &descriptor, false).await);
        }
    }
    ctx.attempt("column twice", Schema::builder().column("a", DataTypes::int()).column("a", DataTypes::int()).build());
    Ok(())
}

async fn table_property_errors(ctx: &Context) -> Outcome {
    for (key, value) in [
        ("table.no.such.key", "1"),
        ("table.log.ttl", "soon"),
        ("table.replication.factor", "2"),
        ("table.replication.factor", "0"),
        ("table.log.format", "PARQUET"),
        ("table.log.arrow.compression.type", "BROTLI"),
        ("table.log.tiered.local-segments", "0"),
        ("table.auto-partition.enabled", "true"),
    ] {
        let made = TableDescriptor::builder().schema(id_and_name()?).property(key, value).build()?;
        ctx.attempt(&format!("{key}={value}"), ctx.admin.create_table(&ctx.path("t"), &made, false).await);
    }
    Ok(())
}

fn set(key: &str, value: &str) -> AlterConfig {
    AlterConfig::new(key, Some(value.to_string()), AlterConfigOpType::Set)
}

fn reset(key: &str) -> AlterConfig {
    AlterConfig::new(key, None, AlterConfigOpType::Delete)
}

fn config_changes(changes: Vec<AlterConfig>) -> AlterTableChanges {
    AlterTableChanges { config_changes: changes, ..AlterTableChanges::default() }
}

async fn table_alter_properties(ctx: &Context) -> Outcome {
    let path = ctx.path("t");
    ctx.create("t", id_and_name()?, |b| b.custom_property("old", "1")).await?;
    let steps = [
        ("set two custom properties", vec![set("team", "blue"), set("floor", "3")]),
        ("reset one, change one", vec![reset("old"), set("team", "red")]),
        ("reset one that is not there", vec![reset("nope")]),
        ("keep fewer segments local", vec![set("table.log.tiered.local-segments", "3")]),
    ];
    for (what, changes) in steps {
        ctx.attempt(what, ctx.admin.alter_table(&path, false, config_changes(changes)).await);
        let info = ctx.admin.get_table_info(&path).await?;
        ctx.say(format!("{what}: {:?} {:?}", sorted(info.get_properties()), sorted(info.get_custom_properties())));
    }
    Ok(())
}

async fn table_alter_errors(ctx: &Context) -> Outcome {
    let path = ctx.path("t");
    ctx.create("t", id_and_name()?, |b| b).await?;
    for (key, value) in [
        ("table.log.format", "INDEXED"),
        ("table.replication.factor", "3"),
        ("table.no.such.key", "1"),
        ("table.log.ttl", "soon"),
    ] {
        let changes = config_changes(vec![set(key, value)]);
        ctx.attempt(&format!("set {key}={value}"), ctx.admin.alter_table(&path, false, changes).await);
    }
    let none = ctx.path("none");
    let change = || config_changes(vec![set("a", "b")]);
    ctx.attempt("no table", ctx.admin.alter_table(&none, false, change()).await);
    ctx.attempt("no table, ignoring", ctx.admin.alter_table(&none, true, change()).await);
    Ok(())
}

fn add_column(name: &str, of: DataType) -> Result<AlterTableChanges, Failure> {
    let column = AddColumn {
        column_name: name.to_string(),
        data_type_json: serde_json_bytes(&of)?,
        comment: Some(format!("added as {name}")),
        position: ColumnPositionType::Last,
    };
    Ok(AlterTableChanges { add_columns: vec![column], ..AlterTableChanges::default() })
}

fn serde_json_bytes(of: &DataType) -> Result<Vec<u8>, Failure> {
    Ok(of.serialize_json()?.to_string().into_bytes())
}

async fn table_add_column(ctx: &Context) -> Outcome {
    let path = ctx.path("t");
    ctx.create("t", id_and_name()?, |b| b).await?;
    ctx.attempt("add", ctx.admin.alter_table(&path, false, add_column("score", DataTypes::double())?).await);
    describe(ctx, &ctx.admin.get_table_info(&path).await?);
    let again = add_column("score", DataTypes::double())?;
    ctx.attempt("add again", ctx.admin.alter_table(&path, false, again).await);
    let nested = DataTypes::row(vec![DataTypes::field("x", DataTypes::int())]);
    ctx.attempt("add a row", ctx.admin.alter_table(&path, false, add_column("r", nested)?).await);
    let info = ctx.admin.get_table_info(&path).await?;
    ctx.say(format!("schema {}: {}", info.get_schema_id(), columns(info.get_schema())));
    Ok(())
}

async fn table_add_not_null_column(ctx: &Context) -> Outcome {
    ctx.create("t", id_and_name()?, |b| b).await?;
    let strict = add_column("must", DataTypes::int().as_non_nullable())?;
    ctx.attempt("add", ctx.admin.alter_table(&ctx.path("t"), false, strict).await);
    Ok(())
}

async fn table_add_reserved_column(ctx: &Context) -> Outcome {
    ctx.create("t", id_and_name()?, |b| b).await?;
    let reserved = add_column("__offset", DataTypes::bigint())?;
    ctx.attempt("add", ctx.admin.alter_table(&ctx.path("t"), false, reserved).await);
    Ok(())
}

async fn table_change_columns(ctx: &Context) -> Outcome {
    let path = ctx.path("t");
    ctx.create("t", id_and_name()?, |b| b).await?;
    let dropped = AlterTableChanges {
        drop_columns: vec![DropColumn { column_name: "name".into() }],
        ..AlterTableChanges::default()
    };
    ctx.attempt("drop a column", ctx.admin.alter_table(&path, false, dropped).await);
    let renamed = AlterTableChanges {
        rename_columns: vec![RenameColumn { old_column_name: "name".into(), new_column_name: "title".into() }],
        ..AlterTableChanges::default()
    };
    ctx.attempt("rename a column", ctx.admin.alter_table(&path, false, renamed).await);
    Ok(())
}

async fn table_read_after_add_column(ctx: &Context) -> Outcome {
    let path = ctx.path("t");
    let table = ctx.create("t", id_and_name()?, |b| b).await?;
    let writer = table.new_append()?.create_writer()?;
    writer.append(&GenericRow::from_data(vec![1.into(), Datum::from("before")]))?.await?;
    ctx.admin.alter_table(&path, false, add_column("score", DataTypes::double())?).await?;

    let connection = ctx.connect(|_| {}).await?;
    let wider = connection.get_table(&path).await?;
    let mut row = GenericRow::new(3);
    row.set_field(0, 2);
    row.set_field(1, "after");
    row.set_field(2, 2.5_f64);
    wider.new_append()?.create_writer()?.append(&row)?.await?;

    for (_, record) in ctx.read(&wider, 2).await? {
        let schema = wider.get_table_info().get_schema();
        ctx.say(format!("new schema: {} {}", record.offset(), render::row(record.row(), schema)?));
    }
    for (_, record) in ctx.read(&table, 2).await? {
        ctx.say(format!("old schema: {} {}", record.offset(), render::row(record.row(), &id_and_name()?)?));
    }
    Ok(())
}

/// Rows written before a column was added, asked for that column.
async fn table_project_added_column(ctx: &Context) -> Outcome {
    let path = ctx.path("t");
    let table = ctx.create("t", id_and_name()?, |b| b).await?;
    table
        .new_append()?
        .create_writer()?
        .append(&GenericRow::from_data(vec![Datum::from(1), Datum::from("x")]))?
        .await?;
    ctx.admin.alter_table(&path, false, add_column("score", DataTypes::double())?).await?;
    let connection = ctx.connect(|_| {}).await?;
    let wider = connection.get_table(&path).await?;
    let scanner = wider.new_scan().project_by_name(&["score", "id"])?.create_log_scanner()?;
    scanner.subscribe(0, EARLIEST_OFFSET).await?;
    if let Some(found) = ctx.attempt("read", drain(&scanner, 1).await) {
        let score = render::value(found[0].1.row(), 0, &DataTypes::double())?;
        ctx.say(format!("{score} {}", render::value(found[0].1.row(), 1, &DataTypes::int())?));
    }
    Ok(())
}

async fn table_schema_by_id(ctx: &Context) -> Outcome {
    let path = ctx.path("t");
    ctx.create("t", id_and_name()?, |b| b).await?;
    ctx.admin.alter_table(&path, false, add_column("more", DataTypes::bigint())?).await?;
    for id in [None, Some(1), Some(2)] {
        let info = ctx.admin.get_table_schema(&path, id).await?;
        ctx.say(format!("asked for {id:?}: schema {} with {}", info.schema_id(), columns(info.schema())));
    }
    ctx.attempt("a schema that is not there", ctx.admin.get_table_schema(&path, Some(9)).await);
    ctx.attempt("a table that is not there", ctx.admin.get_table_schema(&ctx.path("none"), None).await);
    Ok(())
}

async fn table_log_formats(ctx: &Context) -> Outcome {
    for format in ["ARROW", "INDEXED", "COMPACTED"] {
        let name = format!("t_{format}");
        let made = ctx.create(&name, id_and_name()?, |b| b.property("table.log.format", format)).await;
        if let Some(table) = ctx.attempt(&format!("{format}: create"), made) {
            ctx.attempt(&format!("{format}: scan"), table.new_scan().create_log_scanner());
        }
    }
    Ok(())
}

async fn table_1024_buckets(ctx: &Context) -> Outcome {
    let schema = Schema::builder().column("id", DataTypes::int()).build()?;
    let table = ctx.create("t", schema, |b| b.distributed_by(Some(1024), vec!["id".into()])).await?;
    let writer = table.new_append()?.create_writer()?;
    for i in 0..3000 {
        writer.append(&GenericRow::from_data(vec![i]))?;
    }
    writer.flush().await?;
    let ends = ctx.latest(&table).await?;
    let empty = ends.iter().filter(|end| **end == 0).count();
    ctx.say(format!("buckets {}, rows {}, empty {empty}", ends.len(), ends.iter().sum::<i64>()));
    let mut ids = Vec::new();
    for (_, record) in ctx.read(&table, 3000).await? {
        ids.push(record.row().get_int(0)?);
    }
    ids.sort();
    ctx.say(format!("every row read back: {}", ids == (0..3000).collect::<Vec<_>>()));
    Ok(())
}
