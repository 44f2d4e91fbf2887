//! Scanning: projection, Arrow batches, limits, filters, subscriptions and large tables.

use std::collections::HashMap;
use std::time::Duration;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::concat_batches;
use arrow::datatypes::{Int32Type, Int64Type};
use arrow::util::display::array_value_to_string;
use fluss::client::{EARLIEST_OFFSET, FlussTable, RecordBatchLogReader, TableScan};
use fluss::metadata::{DataTypes, Schema, TableBucket};
use fluss::predicate::{Predicate, col};
use fluss::row::{DataGetters, Datum, GenericRow};

use crate::harness::{Context, Failure, Outcome, drain};

crate::cases!(
    project,
    project_errors,
    scan_batches,
    scan_subscriptions,
    limit_scan,
    limit_scan_edges,
    limit_scan_partition,
    filter_pushdown,
    scan_large,
);

const ROWS: i32 = 10;

async fn filled(ctx: &Context, rows: i32, buckets: i32) -> Result<FlussTable<'_>, Failure> {
    let schema = Schema::builder()
        .column("id", DataTypes::int())
        .column("name", DataTypes::string())
        .column("score", DataTypes::double())
        .build()?;
    let table = ctx.create("t", schema, |b| b.distributed_by(Some(buckets), vec!["id".into()])).await?;
    let writer = table.new_append()?.create_writer()?;
    for i in 0..rows {
        let mut row = GenericRow::new(3);
        row.set_field(0, i);
        if i % 3 != 2 {
            row.set_field(1, format!("n{i}"));
        }
        row.set_field(2, f64::from(i) / 4.0);
        writer.append(&row)?;
    }
    writer.flush().await?;
    Ok(table)
}

/// Rows of an Arrow batch as text.
pub fn lines(batch: &RecordBatch) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    for i in 0..batch.num_rows() {
        let cells: Result<Vec<String>, _> = batch
            .columns()
            .iter()
            .map(|column| if column.is_null(i) { Ok("null".into()) } else { array_value_to_string(column, i) })
            .collect();
        lines.push(cells?.join(", "));
    }
    Ok(lines)
}

/// Everything that a scan yields from the given offsets to the latest ones, as one batch.
pub async fn read_arrow(ctx: &Context, scan: TableScan<'_>, starts: &[(i32, i64)]) -> Result<RecordBatch, Failure> {
    let scanner = scan.create_record_batch_log_scanner()?;
    for (bucket, start) in starts {
        scanner.subscribe(*bucket, *start).await?;
    }
    let mut reader = RecordBatchLogReader::new_until_latest(scanner, &ctx.admin).await?;
    let schema = reader.schema();
    let batches: Vec<RecordBatch> =
        reader.collect_all_batches().await?.into_iter().map(|part| part.into_batch()).collect();
    Ok(concat_batches(&schema, &batches)?)
}

async fn project(ctx: &Context) -> Outcome {
    let table = filled(ctx, ROWS, 1).await?;
    let choices: [(&str, &[usize]); 4] = [("1", &[1]), ("0, 2", &[0, 2]), ("2, 0", &[2, 0]), ("all", &[0, 1, 2])];
    for (what, columns) in choices {
        let batch = read_arrow(ctx, table.new_scan().project(columns)?, &[(0, 0)]).await?;
        ctx.say(format!("{what}: {} rows, {:?}", batch.num_rows(), &lines(&batch)?[1..4]));
    }
    let scanner = table.new_scan().project_by_name(&["score", "name"])?.create_log_scanner()?;
    scanner.subscribe(0, 7).await?;
    for (_, record) in drain(&scanner, 3).await? {
        let name = if record.row().is_null_at(1)? { "null" } else { record.row().get_string(1)? };
        ctx.say(format!("by name: offset {} {:?} {name}", record.offset(), record.row().get_double(0)?));
    }
    Ok(())
}

async fn project_errors(ctx: &Context) -> Outcome {
    let table = filled(ctx, 1, 1).await?;
    ctx.attempt("no column", table.new_scan().project(&[]).map(drop));
    ctx.attempt("index out of range", table.new_scan().project(&[3]).map(drop));
    ctx.attempt("unknown name", table.new_scan().project_by_name(&["nope"]).map(drop));
    let scanner = table.new_scan().project(&[0, 0])?.create_log_scanner()?;
    scanner.subscribe(0, 0).await?;
    ctx.attempt("a column twice", scanner.poll(Duration::from_secs(5)).await);
    Ok(())
}

async fn scan_batches(ctx: &Context) -> Outcome {
    let table = filled(ctx, ROWS, 1).await?;
    let scanner = table.new_scan().create_record_batch_log_scanner()?;
    let columns: Vec<String> =
        scanner.schema().fields().iter().map(|f| format!("{} {}", f.name(), f.data_type())).collect();
    ctx.say(format!("schema {columns:?}"));
    scanner.subscribe(0, 4).await?;
    let mut rows = 0;
    while rows < 6 {
        for part in scanner.poll(Duration::from_millis(200)).await? {
            rows += part.num_records();
            ctx.say(format!("offsets {} to {}", part.base_offset(), part.last_offset()));
            for line in lines(part.batch())? {
                ctx.say(line);
            }
        }
    }
    Ok(())
}

async fn scan_subscriptions(ctx: &Context) -> Outcome {
    let table = filled(ctx, 40, 4).await?;
    let ends = ctx.latest(&table).await?;
    ctx.say(format!("ends at {ends:?}"));
    let scanner = table.new_scan().create_log_scanner()?;
    scanner.subscribe_buckets(&HashMap::from([(0, 0), (1, 0), (2, EARLIEST_OFFSET)])).await?;
    scanner.unsubscribe(1).await?;
    let found = drain(&scanner, (ends[0] + ends[2]) as usize).await?;
    let places: Result<Vec<_>, _> = found.iter().map(|(b, r)| r.row().get_int(0).map(|id| (*b, id))).collect();
    ctx.say(format!("buckets 0 and 2: {:?}", places?));
    scanner.subscribe(3, ends[3] - 2).await?;
    let last: Vec<_> = drain(&scanner, 2).await?.iter().map(|(b, r)| (*b, r.offset())).collect();
    ctx.say(format!("the last two of bucket 3: {last:?}"));
    Ok(())
}

async fn limited(scan: TableScan<'_>, limit: i32, bucket: TableBucket) -> Result<Vec<String>, Failure> {
    let mut scanner = scan.limit(limit)?.create_bucket_batch_scanner(bucket)?;
    let mut rows = Vec::new();
    for part in scanner.collect_all_batches().await? {
        rows.extend(lines(part.batch())?);
    }
    Ok(rows)
}

async fn limit_scan(ctx: &Context) -> Outcome {
    let table = filled(ctx, ROWS, 1).await?;
    let bucket = TableBucket::new(table.get_table_info().get_table_id(), 0);
    for limit in [1, 3, 10, 100] {
        let rows = limited(table.new_scan().project(&[0])?, limit, bucket.clone()).await?;
        ctx.say(format!("limit {limit}: {rows:?}"));
    }
    let rows = limited(table.new_scan().project(&[2, 0])?, 2, bucket.clone()).await?;
    ctx.say(format!("projected: {rows:?}"));
    ctx.say(format!("all columns: {:?}", limited(table.new_scan(), 2, bucket).await?));
    Ok(())
}

async fn limit_scan_edges(ctx: &Context) -> Outcome {
    let table = filled(ctx, 0, 1).await?;
    let id = table.get_table_info().get_table_id();
    ctx.show("empty", limited(table.new_scan(), 5, TableBucket::new(id, 0)).await);
    ctx.attempt("limit 0", limited(table.new_scan(), 0, TableBucket::new(id, 0)).await);
    ctx.attempt("bucket out of range", limited(table.new_scan(), 1, TableBucket::new(id, 1)).await);
    let scan = table.new_scan().limit(1)?;
    ctx.attempt("a log scanner with a limit", scan.create_log_scanner().map(drop));
    Ok(())
}

async fn limit_scan_partition(ctx: &Context) -> Outcome {
    let schema = Schema::builder().column("id", DataTypes::int()).column("p", DataTypes::string()).build()?;
    let table = ctx.create("t", schema, |b| b.partitioned_by(vec!["p"])).await?;
    for name in ["a", "b"] {
        ctx.create_partition(&ctx.path("t"), &[("p", name)], 1).await?;
    }
    let writer = table.new_append()?.create_writer()?;
    for i in 0..20 {
        writer.append(&GenericRow::from_data(vec![Datum::from(i), Datum::from(["a", "b"][i as usize % 2])]))?;
    }
    writer.flush().await?;
    let mut infos = ctx.admin.list_partition_infos(&ctx.path("t")).await?;
    infos.sort_by_key(|info| info.get_partition_name());
    for info in infos {
        let id = table.get_table_info().get_table_id();
        let bucket = TableBucket::new_with_partition(id, Some(info.get_partition_id()), 0);
        ctx.say(format!("{}: {:?}", info.get_partition_name(), limited(table.new_scan(), 3, bucket).await?));
    }
    Ok(())
}

/// A server may leave out batches that can't match, so the condition is applied again here.
async fn filter_pushdown(ctx: &Context) -> Outcome {
    let table = filled(ctx, 30, 1).await?;
    let filters: [(&str, Predicate, fn(i32) -> bool); 3] = [
        ("id >= 25", col("id").ge(25), |id| id >= 25),
        ("score < 1", col("score").lt(1.0), |id| id < 4),
        ("name is null and id > 20", col("name").is_null().and(col("id").gt(20)), |id| id % 3 == 2 && id > 20),
    ];
    for (what, predicate, matches) in filters {
        let batch = read_arrow(ctx, table.new_scan().filter(predicate)?, &[(0, 0)]).await?;
        let ids = batch.column(0).as_primitive::<Int32Type>().values().iter().copied();
        ctx.say(format!("{what}: {:?}", ids.filter(|id| matches(*id)).collect::<Vec<_>>()));
    }
    Ok(())
}

/// 100,000 rows over three buckets, read with small fetches and with large ones.
async fn scan_large(ctx: &Context) -> Outcome {
    const COUNT: i64 = 100_000;
    let schema = Schema::builder().column("id", DataTypes::bigint()).column("text", DataTypes::string()).build()?;
    let table = ctx.create("t", schema, |b| b.distributed_by(Some(3), vec!["id".into()])).await?;
    let writer = table.new_append()?.create_writer()?;
    for i in 0..COUNT {
        writer.append(&GenericRow::from_data(vec![Datum::from(i), Datum::from(format!("row {i}"))]))?;
    }
    writer.flush().await?;
    ctx.say(format!("ends at {:?}", ctx.latest(&table).await?));
    for (what, per_bucket, whole) in [("as usual", 1 << 20, 16 << 20), ("small", 20_000, 60_000)] {
        let connection = ctx
            .connect(|c| {
                c.scanner_log_fetch_max_bytes_for_bucket = per_bucket;
                c.scanner_log_fetch_max_bytes = whole;
            })
            .await?;
        let again = connection.get_table(&ctx.path("t")).await?;
        let batch = read_arrow(ctx, again.new_scan(), &[(0, 0), (1, 0), (2, 0)]).await?;
        let ids = batch.column(0).as_primitive::<Int64Type>();
        let texts = batch.column(1).as_string::<i32>();
        let matching = (0..batch.num_rows()).all(|i| texts.value(i) == format!("row {}", ids.value(i)));
        let mut sorted = ids.values().to_vec();
        sorted.sort_unstable();
        ctx.say(format!("{what}: every row {}, texts {matching}", sorted.into_iter().eq(0..COUNT)));
    }
    Ok(())
}
