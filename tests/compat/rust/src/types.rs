//! Every data type with nulls and extremes, and every compression of the log.

use std::io::Cursor;

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use arrow::datatypes::SchemaRef;
use arrow::json::ReaderBuilder;
use fluss::client::FlussTable;
use fluss::metadata::{DataType, DataTypes, Schema};
use fluss::row::{Datum, GenericRow};

use crate::harness::{Context, Failure, Outcome};
use crate::render;
use crate::scan::{lines, read_arrow};

crate::cases!(types_numbers, types_text, types_times, types_nested, types_not_null, types_all_null, compressions);

/// A column's name and type, and its values as JSON.
type Column = (&'static str, DataType, &'static [&'static str]);

fn numbers() -> Vec<Column> {
    vec![
        ("boolean", DataTypes::boolean(), &["true", "false"]),
        ("tinyint", DataTypes::tinyint(), &["-128", "0", "127"]),
        ("smallint", DataTypes::smallint(), &["-32768", "0", "32767"]),
        ("int", DataTypes::int(), &["-2147483648", "0", "2147483647"]),
        ("bigint", DataTypes::bigint(), &["-9223372036854775808", "0", "9223372036854775807"]),
        ("float", DataTypes::float(), &["-1.5", "0.0", "3.4e38"]),
        ("double", DataTypes::double(), &["-1.5", "0.0", "1.7976931348623157e308", "5e-324"]),
        ("decimal_5_2", DataTypes::decimal(5, 2), &["\"-999.99\"", "\"0.00\"", "\"999.99\""]),
        ("decimal_18_0", DataTypes::decimal(18, 0), &["\"-999999999999999999\"", "\"999999999999999999\""]),
        ("decimal_38_18", DataTypes::decimal(38, 18), &["\"-12345678901234567890.123456789012345678\"", "\"0\""]),
    ]
}

fn text() -> Vec<Column> {
    vec![
        ("string", DataTypes::string(), &["\"\"", "\"plain\"", "\"äöü 漢字 🛩\""]),
        ("char_3", DataTypes::char(3), &["\"abc\"", "\"äöü\""]),
        ("bytes", DataTypes::bytes(), &["\"\"", "\"00ff\"", "\"000102030405060708090a0b0c0d0e0f\""]),
        ("binary_4", DataTypes::binary(4), &["\"00000000\"", "\"61626364\""]),
    ]
}

fn times() -> Vec<Column> {
    let ntz = DataTypes::timestamp_with_precision;
    let ltz = DataTypes::timestamp_ltz_with_precision;
    vec![
        ("date", DataTypes::date(), &["\"0001-01-01\"", "\"1969-12-31\"", "\"2013-07-04\"", "\"9999-12-31\""]),
        ("time_0", DataTypes::time_with_precision(0), &["\"00:00:00\"", "\"23:59:59\""]),
        ("time_3", DataTypes::time_with_precision(3), &["\"00:00:00.001\"", "\"23:59:59.999\""]),
        ("time_6", DataTypes::time_with_precision(6), &["\"12:00:00.005\"", "\"23:59:59.999\""]),
        ("time_9", DataTypes::time_with_precision(9), &["\"12:00:00.005\""]),
        ("timestamp_0", ntz(0), &["\"1960-01-01T00:00:00\"", "\"2013-07-04T01:02:03\""]),
        ("timestamp_3", ntz(3), &["\"1960-01-01T00:00:00.001\"", "\"2038-01-19T03:14:08\""]),
        ("timestamp_6", ntz(6), &["\"2013-07-04T01:02:03.000004\""]),
        ("timestamp_9", ntz(9), &["\"2013-07-04T01:02:03.123456789\""]),
        ("ltz_0", ltz(0), &["\"1960-01-01T00:00:00Z\""]),
        ("ltz_3", ltz(3), &["\"2013-07-04T01:02:03.004Z\""]),
        ("ltz_6", ltz(6), &["\"2013-07-04T01:02:03.000004Z\""]),
        ("ltz_9", ltz(9), &["\"2013-07-04T01:02:03.123456789Z\""]),
    ]
}

fn nested() -> Vec<Column> {
    let (int, string) = (DataTypes::int, DataTypes::string);
    let point = DataTypes::row(vec![DataTypes::field("x", int()), DataTypes::field("y", string())]);
    let inner = DataTypes::row(vec![
        DataTypes::field("d", DataTypes::decimal(20, 3)),
        DataTypes::field("t", DataTypes::timestamp_with_precision(6)),
    ]);
    let outer = DataTypes::row(vec![DataTypes::field("in", inner), DataTypes::field("n", DataTypes::bigint())]);
    vec![
        ("array_int", DataTypes::array(int()), &["[]", "[1, null, 3]"]),
        ("array_string", DataTypes::array(string()), &["[\"\", null, \"ü\"]"]),
        ("array_array", DataTypes::array(DataTypes::array(DataTypes::bigint())), &["[[1], [], null, [2, null]]"]),
        ("map_string_int", DataTypes::map(string(), int()), &["{}", "{\"a\": 1, \"b\": null}"]),
        ("map_array", DataTypes::map(string(), DataTypes::array(string())), &["{\"k\": [\"x\", null], \"n\": null}"]),
        ("row", point.clone(), &["{\"x\": 1, \"y\": \"a\"}", "{\"x\": null, \"y\": null}"]),
        (
            "row_row",
            outer,
            &[
                "{\"in\": {\"d\": \"1.125\", \"t\": \"2013-07-04T01:02:03.000004\"}, \"n\": 5}",
                "{\"in\": null, \"n\": null}",
            ],
        ),
        ("array_row", DataTypes::array(point.clone()), &["[{\"x\": 1, \"y\": \"a\"}, null]"]),
        ("map_row", DataTypes::map(string(), point), &["{\"k\": {\"x\": 1, \"y\": null}}"]),
    ]
}

/// Rows of JSON documents as an Arrow batch of the table's schema.
fn batch(schema: SchemaRef, documents: &[String]) -> Result<RecordBatch, Failure> {
    let mut reader = ReaderBuilder::new(schema.clone()).build(Cursor::new(documents.join("\n")))?;
    let batches: Result<Vec<RecordBatch>, _> = reader.by_ref().collect();
    Ok(concat_batches(&schema, &batches?)?)
}

async fn read_rows(ctx: &Context, table: &FlussTable<'_>, count: usize) -> Result<Vec<String>, Failure> {
    let schema = table.get_table_info().get_schema();
    let found = ctx.read(table, count).await?;
    Ok(found.iter().map(|(_, record)| render::row(record.row(), schema)).collect::<Result<_, _>>()?)
}

/// Writes the values and a null as an Arrow batch; writes the rows read back, one by one, into a second table.
async fn round_trip(ctx: &Context, column: &Column) -> Outcome {
    let (kind, of, values) = column;
    let schema = Schema::builder().column("id", DataTypes::int()).column("v", of.clone()).build()?;
    let table = ctx.create(&format!("t_{kind}"), schema.clone(), |b| b).await?;
    let copy = ctx.create(&format!("copy_{kind}"), schema, |b| b).await?;
    let arrow = table.new_scan().create_record_batch_log_scanner()?.schema();
    let documents: Vec<String> = values.iter().chain(&["null"]).map(|v| format!("{{\"id\": 1, \"v\": {v}}}")).collect();
    let written = batch(arrow.clone(), &documents)?;
    table.new_append()?.create_writer()?.append_arrow_batch(written.clone())?.await?;

    ctx.say(format!("{kind}: {of} as {}", arrow.field(1).data_type()));
    let as_rows = read_rows(ctx, &table, documents.len()).await?;
    for row in &as_rows {
        ctx.say(format!("{kind}: {row}"));
    }
    let as_arrow = read_arrow(ctx, table.new_scan(), &[(0, 0)]).await?;
    ctx.say(format!("{kind}: as Arrow equal to the source: {}", as_arrow.columns() == written.columns()));

    let writer = copy.new_append()?.create_writer()?;
    for (_, record) in ctx.read(&table, documents.len()).await? {
        writer.append(record.row())?;
    }
    writer.flush().await?;
    ctx.say(format!("{kind}: written as rows the same: {}", read_rows(ctx, &copy, documents.len()).await? == as_rows));
    Ok(())
}

async fn round_trips(ctx: &Context, columns: Vec<Column>) -> Outcome {
    for column in &columns {
        if let Err(error) = round_trip(ctx, column).await {
            ctx.attempt::<(), _>(column.0, Err(error));
        }
    }
    Ok(())
}

async fn types_numbers(ctx: &Context) -> Outcome {
    round_trips(ctx, numbers()).await
}

async fn types_text(ctx: &Context) -> Outcome {
    round_trips(ctx, text()).await
}

async fn types_times(ctx: &Context) -> Outcome {
    round_trips(ctx, times()).await
}

async fn types_nested(ctx: &Context) -> Outcome {
    round_trips(ctx, nested()).await
}

fn everything() -> Vec<Column> {
    [numbers(), text(), times(), nested()].into_iter().flatten().collect()
}

async fn types_not_null(ctx: &Context) -> Outcome {
    let columns: Vec<Column> = everything();
    let schema = columns.iter().fold(Schema::builder(), |b, (name, of, _)| b.column(*name, of.as_non_nullable()));
    let table = ctx.create("t", schema.build()?, |b| b).await?;
    let fields: Vec<String> = columns.iter().map(|(name, _, values)| format!("\"{name}\": {}", values[0])).collect();
    let arrow = table.new_scan().create_record_batch_log_scanner()?.schema();
    let written = batch(arrow, &[format!("{{{}}}", fields.join(", "))])?;
    table.new_append()?.create_writer()?.append_arrow_batch(written)?.await?;
    for column in table.get_table_info().get_schema().columns() {
        ctx.say(format!("{} {}", column.name(), column.data_type()));
    }
    for row in read_rows(ctx, &table, 1).await? {
        ctx.say(row);
    }
    Ok(())
}

async fn types_all_null(ctx: &Context) -> Outcome {
    let columns = everything();
    let schema = columns.iter().fold(Schema::builder(), |b, (name, of, _)| b.column(*name, of.clone())).build()?;
    let table = ctx.create("t", schema, |b| b).await?;
    table.new_append()?.create_writer()?.append(&GenericRow::new(columns.len()))?.await?;
    let nulls = read_rows(ctx, &table, 1).await?[0].matches("null").count();
    ctx.say(format!("{nulls} of {} columns are null", columns.len()));
    Ok(())
}

async fn compressions(ctx: &Context) -> Outcome {
    let schema = || Schema::builder().column("id", DataTypes::int()).column("text", DataTypes::string()).build();
    for compression in ["default", "NONE", "LZ4_FRAME", "ZSTD"] {
        let table = ctx
            .create(&format!("t_{compression}"), schema()?, |b| match compression {
                "default" => b,
                _ => b.property("table.log.arrow.compression.type", compression),
            })
            .await?;
        let writer = table.new_append()?.create_writer()?;
        for i in 0..20_000 {
            writer.append(&GenericRow::from_data(vec![Datum::from(i), Datum::from(format!("text {}", i % 100))]))?;
        }
        writer.append(&GenericRow::new(2))?;
        writer.flush().await?;
        for columns in [vec![0, 1], vec![1]] {
            let read = read_arrow(ctx, table.new_scan().project(&columns)?, &[(0, 0)]).await?;
            let equal = lines(&read)?.iter().enumerate().all(|(i, line)| {
                let expected = [i.to_string(), format!("text {}", i % 100)];
                let wanted: Vec<&str> =
                    columns.iter().map(|c| if i < 20_000 { expected[*c].as_str() } else { "null" }).collect();
                *line == wanted.join(", ")
            });
            ctx.say(format!("{compression}: columns {columns:?}: {} rows, equal {equal}", read.num_rows()));
        }
    }
    Ok(())
}
