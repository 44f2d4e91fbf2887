//! Offsets: earliest, latest, by commit time, and reading from each of them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fluss::client::{EARLIEST_OFFSET, FlussTable, RecordBatchLogReader};
use fluss::metadata::TableBucket;
use fluss::row::DataGetters;
use fluss::rpc::message::OffsetSpec;

use crate::append::{append_ids, only_id};
use crate::harness::{Context, Failure, Outcome, drain};

crate::cases!(
    offsets_of_an_empty_table,
    offsets_by_time,
    offsets_errors,
    scan_from_each_start,
    scan_between_times,
    scan_beyond_the_end,
    scan_wakes_on_append,
);

fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as i64)
}

/// Waits until the clock shows another millisecond, so that two commits have different times.
async fn next_millisecond() {
    let now = now_ms();
    while now_ms() <= now + 2 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// A table with ids 0..5, 5..10 and 10..15, and the commit time of each group.
async fn three_commits(ctx: &Context) -> Result<(FlussTable<'_>, [i64; 3]), Failure> {
    let table = ctx.create("t", only_id()?, |b| b).await?;
    for start in [0, 5, 10] {
        append_ids(&table, start..start + 5).await?;
        next_millisecond().await;
    }
    let found = ctx.read(&table, 15).await?;
    let times = [0, 5, 10].map(|i: usize| found[i].1.timestamp());
    Ok((table, times))
}

async fn offset(ctx: &Context, spec: OffsetSpec) -> Result<i64, Failure> {
    Ok(ctx.list_offsets(&ctx.path("t"), None, 1, spec).await?[0])
}

async fn offsets_of_an_empty_table(ctx: &Context) -> Outcome {
    ctx.create("t", only_id()?, |b| b.distributed_by(Some(3), vec![])).await?;
    for spec in [OffsetSpec::Earliest, OffsetSpec::Latest, OffsetSpec::Timestamp(0)] {
        let what = format!("{spec:?}");
        ctx.show(&what, ctx.list_offsets(&ctx.path("t"), None, 3, spec).await);
    }
    Ok(())
}

async fn offsets_by_time(ctx: &Context) -> Outcome {
    let (_, times) = three_commits(ctx).await?;
    ctx.say(format!("commit times differ: {}", times[0] < times[1] && times[1] < times[2]));
    ctx.show("earliest", offset(ctx, OffsetSpec::Earliest).await);
    ctx.show("latest", offset(ctx, OffsetSpec::Latest).await);
    for (number, moment) in times.iter().enumerate() {
        for delta in [-1, 0, 1] {
            let what = format!("commit {number} {delta:+} ms");
            ctx.show(&what, offset(ctx, OffsetSpec::Timestamp(moment + delta)).await);
        }
    }
    Ok(())
}

async fn offsets_errors(ctx: &Context) -> Outcome {
    ctx.create("t", only_id()?, |b| b).await?;
    ctx.attempt("tomorrow", offset(ctx, OffsetSpec::Timestamp(now_ms() + 86_400_000)).await);
    ctx.attempt("a bucket too many", ctx.admin.list_offsets(&ctx.path("t"), &[0, 1], OffsetSpec::Latest).await);
    ctx.attempt("no bucket", ctx.admin.list_offsets(&ctx.path("t"), &[], OffsetSpec::Latest).await);
    Ok(())
}

async fn scan_from_each_start(ctx: &Context) -> Outcome {
    let (table, times) = three_commits(ctx).await?;
    let by_time = offset(ctx, OffsetSpec::Timestamp(times[1])).await?;
    for (what, start) in [("earliest", EARLIEST_OFFSET), ("0", 0), ("7", 7), ("a time", by_time)] {
        let scanner = table.new_scan().create_log_scanner()?;
        scanner.subscribe(0, start).await?;
        let found = drain(&scanner, 15 - start.max(0) as usize).await?;
        let rows: Result<Vec<_>, _> =
            found.iter().map(|(_, r)| r.row().get_int(0).map(|id| (r.offset(), id))).collect();
        ctx.say(format!("from {what}: {:?}", rows?));
    }
    let scanner = table.new_scan().create_log_scanner()?;
    scanner.subscribe(0, 15).await?;
    ctx.say(format!("from the end, nothing yet: {}", scanner.poll(Duration::from_millis(100)).await?.count()));
    append_ids(&table, 15..17).await?;
    let offsets: Vec<i64> = drain(&scanner, 2).await?.iter().map(|(_, record)| record.offset()).collect();
    ctx.say(format!("from the end, after an append: {offsets:?}"));
    Ok(())
}

async fn scan_between_times(ctx: &Context) -> Outcome {
    let (table, times) = three_commits(ctx).await?;
    let buckets = [TableBucket::new(table.get_table_info().get_table_id(), 0)];
    for (what, from, to) in [("the second commit", times[1], times[2]), ("the first two", times[0], times[2])] {
        let scanner = table.new_scan().create_record_batch_log_scanner()?;
        let mut reader = RecordBatchLogReader::new_between_timestamps(scanner, &ctx.admin, &buckets, from, to).await?;
        let mut offsets = Vec::new();
        for part in reader.collect_all_batches().await? {
            offsets.extend(part.base_offset()..=part.last_offset());
        }
        ctx.say(format!("{what}: {offsets:?}"));
    }
    Ok(())
}

async fn scan_beyond_the_end(ctx: &Context) -> Outcome {
    let table = ctx.create("t", only_id()?, |b| b).await?;
    append_ids(&table, 0..3).await?;
    let scanner = table.new_scan().create_log_scanner()?;
    scanner.subscribe(0, 100).await?;
    for _ in 0..20 {
        match scanner.poll(Duration::from_millis(500)).await {
            Ok(records) if records.is_empty() => {}
            other => {
                ctx.show("poll", other.map(|records| records.count()));
                break;
            }
        }
    }
    Ok(())
}

async fn scan_wakes_on_append(ctx: &Context) -> Outcome {
    let table = ctx.create("t", only_id()?, |b| b).await?;
    let scanner = table.new_scan().create_log_scanner()?;
    scanner.subscribe(0, EARLIEST_OFFSET).await?;
    for round in 0..5 {
        let (found, appended) = futures::join!(drain(&scanner, 1), append_ids(&table, round..round + 1));
        appended?;
        for (_, record) in found? {
            ctx.say(format!("offset {} id {}", record.offset(), record.row().get_int(0)?));
        }
    }
    Ok(())
}
