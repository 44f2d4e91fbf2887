"""Scanning: projection, Arrow results, limits, filters, subscriptions and large tables."""

import fluss
import pyarrow as pa
from fluss import col

from harness import case

FIELDS = [
    pa.field("id", pa.int32()),
    pa.field("name", pa.string()),
    pa.field("score", pa.float64()),
    pa.field("tags", pa.list_(pa.string())),
]


async def filled(ctx, rows=10, name="t", **options):
    table = await ctx.create(name, FIELDS, **options)
    writer = table.new_append().create_writer()
    for i in range(rows):
        writer.append([i, None if i % 3 == 2 else f"n{i}", i / 4, [str(i)] * (i % 3)])
    await writer.flush()
    return table


@case()
async def project(ctx):
    table = await filled(ctx)
    choices = {
        "[1]": lambda scan: scan.project([1]),
        "[0, 2]": lambda scan: scan.project([0, 2]),
        "[3, 0]": lambda scan: scan.project([3, 0]),
        "score, name": lambda scan: scan.project_by_name(["score", "name"]),
        "all": lambda scan: scan.project([0, 1, 2, 3]),
    }
    for what, configure in choices.items():
        found = await ctx.read(table, 10, configure=configure)
        ctx.say(f"{what}: {[list(r.row.items()) for _, r in found][2:5]}")
        ctx.say(f"{what}: offsets {[r.offset for _, r in found] == list(range(10))}")


@case()
async def project_errors(ctx):
    table = await filled(ctx, rows=1)
    for what, scan in (
        ("no column", table.new_scan().project([])),
        ("index out of range", table.new_scan().project([4])),
        ("unknown name", table.new_scan().project_by_name(["nope"])),
        ("a column twice", table.new_scan().project([0, 0])),
    ):
        scanner = await ctx.attempt(f"{what}: scanner", scan.create_log_scanner())
        if scanner is not None:
            scanner.subscribe(0, 0)
            await ctx.attempt(f"{what}: poll", scanner.poll(5000))


@case()
async def scan_as_arrow(ctx):
    table = await filled(ctx)
    scanner = await table.new_scan().create_record_batch_log_scanner()
    scanner.subscribe(0, fluss.EARLIEST_OFFSET)
    whole = await scanner.to_arrow()
    ctx.say(f"schema {[(f.name, str(f.type)) for f in whole.schema]}")
    for row in whole.to_pylist()[:4]:
        ctx.say(row)
    ctx.say(f"rows {whole.num_rows}")

    scanner = await table.new_scan().project_by_name(["name", "id"]).create_record_batch_log_scanner()
    scanner.subscribe(0, 4)
    ctx.say(f"projected from 4: {(await scanner.to_arrow()).to_pydict()}")

    scanner = await table.new_scan().project([0, 2]).create_record_batch_log_scanner()
    scanner.subscribe(0, 8)
    frame = await scanner.to_pandas()
    ctx.say(f"pandas {frame.to_dict(orient='list')}")

    scanner = await table.new_scan().project([0]).create_record_batch_log_scanner()
    scanner.subscribe(0, 0)
    ctx.say(f"reader {scanner.to_arrow_batch_reader().read_all().to_pydict()}")


@case()
async def scan_batches(ctx):
    table = await filled(ctx)
    scanner = await table.new_scan().create_record_batch_log_scanner()
    scanner.subscribe(0, fluss.EARLIEST_OFFSET)
    rows, offsets = 0, []
    while rows < 10:
        for batch in await scanner.poll_record_batch(200):
            rows += batch.batch.num_rows
            offsets += range(batch.base_offset, batch.last_offset + 1)
            ctx.say(f"bucket {batch.bucket.bucket_id}: {batch.batch.column(0).to_pylist()}")
    ctx.say(f"offsets {offsets == list(range(10))}")
    scanner = await table.new_scan().create_record_batch_log_scanner()
    scanner.subscribe(0, 5)
    part = await scanner.poll_arrow(5000)
    ctx.say(f"poll as a table from 5: {part.column('id').to_pylist()}")
    empty = await table.new_scan().create_record_batch_log_scanner()
    empty.subscribe(0, 10)
    nothing = await empty.poll_arrow(50)
    ctx.say(f"at the end: {nothing.num_rows} rows, columns {nothing.column_names}")


@case()
async def scan_wrong_kind(ctx):
    table = await filled(ctx, rows=1)
    records = await table.new_scan().create_log_scanner()
    records.subscribe(0, 0)
    await ctx.attempt("batches from a record scanner", records.poll_record_batch(50))
    batches = await table.new_scan().create_record_batch_log_scanner()
    batches.subscribe(0, 0)
    await ctx.attempt("records from a batch scanner", batches.poll(50))
    fresh = await table.new_scan().create_log_scanner()
    await ctx.attempt("poll without a subscription", fresh.poll(50))
    ctx.attempt_call("subscribe to a partition", fresh.subscribe_partition, 1, 0, 0)


@case()
async def scan_subscriptions(ctx):
    table = await filled(ctx, rows=40, bucket_count=4, bucket_keys=["id"])
    ends = await ctx.latest(table, 4)
    ctx.say(f"end offsets {ends}")
    scanner = await table.new_scan().create_log_scanner()
    scanner.subscribe_buckets({0: 0, 1: 0, 2: 0})
    scanner.unsubscribe(1)
    found = await ctx.drain(scanner, ends[0] + ends[2])
    ctx.say(f"buckets 0 and 2: {[(b, r.row['id']) for b, r in found]}")
    scanner.subscribe(3, ends[3] - 2)
    found = await ctx.drain(scanner, 2)
    ctx.say(f"the last two of bucket 3: {[(b, r.offset, r.row['id']) for b, r in found]}")


@case()
async def scan_async_iteration(ctx):
    table = await filled(ctx)
    scanner = await table.new_scan().create_log_scanner()
    scanner.subscribe(0, 0)
    ids = []
    async for record in scanner:
        ids.append(record.row["id"])
        if len(ids) == 10:
            break
    ctx.say(ids)


@case()
async def limit_scan(ctx):
    table = await filled(ctx)
    table_id = table.get_table_info().table_id
    bucket = fluss.TableBucket(table_id, 0)
    for limit in (1, 3, 10, 100):
        result = await table.new_scan().limit(limit).create_bucket_batch_scanner(bucket).to_arrow()
        ctx.say(f"limit {limit}: {result.column('id').to_pylist()}")
    scan = table.new_scan().project_by_name(["score", "id"]).limit(2)
    ctx.say(f"projected: {(await scan.create_bucket_batch_scanner(bucket).to_arrow()).to_pydict()}")
    scanner = table.new_scan().limit(4).create_bucket_batch_scanner(bucket)
    batch = await scanner.next_batch()
    ctx.say(f"next batch: {batch.batch.num_rows} rows, then {await scanner.next_batch()}")


@case()
async def limit_scan_edges(ctx):
    table = await filled(ctx, rows=0, name="empty")
    table_id = table.get_table_info().table_id
    result = (
        await table.new_scan().limit(5).create_bucket_batch_scanner(fluss.TableBucket(table_id, 0)).to_arrow()
    )
    ctx.say(f"empty: {result.num_rows} rows, columns {result.column_names}")
    ctx.attempt_call("limit 0", lambda: table.new_scan().limit(0))
    ctx.attempt_call(
        "no limit", lambda: table.new_scan().create_bucket_batch_scanner(fluss.TableBucket(table_id, 0))
    )
    ctx.attempt_call(
        "bucket out of range",
        lambda: table.new_scan().limit(1).create_bucket_batch_scanner(fluss.TableBucket(table_id, 1)),
    )
    ctx.attempt_call(
        "another table's bucket",
        lambda: table.new_scan().limit(1).create_bucket_batch_scanner(fluss.TableBucket(table_id + 1, 0)),
    )


@case()
async def limit_scan_partition(ctx):
    fields = [pa.field("id", pa.int32()), pa.field("p", pa.string())]
    table = await ctx.create("t", fields, partition_keys=["p"])
    for name in ("a", "b"):
        await ctx.create_partition(ctx.path("t"), {"p": name})
    writer = table.new_append().create_writer()
    for i in range(20):
        writer.append([i, "ab"[i % 2]])
    await writer.flush()
    for info in sorted(await ctx.admin.list_partition_infos(ctx.path("t")), key=lambda i: i.partition_name):
        bucket = fluss.TableBucket.with_partition(table.get_table_info().table_id, info.partition_id, 0)
        result = await table.new_scan().limit(3).create_bucket_batch_scanner(bucket).to_arrow()
        ctx.say(f"{info.partition_name}: {result.to_pydict()}")


@case()
async def filter_pushdown(ctx):
    """A server may leave out batches that can't match, so the condition is applied again here."""
    table = await filled(ctx, rows=30)
    filters = {
        "id >= 25": (col("id") >= 25, lambda row: row["id"] >= 25),
        "score < 1": (col("score") < 1.0, lambda row: row["score"] < 1),
        "name is null and id > 20": (
            col("name").is_null() & (col("id") > 20),
            lambda row: row["name"] is None and row["id"] > 20,
        ),
        "name starts with n1": (
            col("name").starts_with("n1"),
            lambda row: row["name"] is not None and row["name"].startswith("n1"),
        ),
    }
    for what, (predicate, matches) in filters.items():
        scanner = await table.new_scan().filter(predicate).create_record_batch_log_scanner()
        scanner.subscribe(0, 0)
        rows = (await scanner.to_arrow()).to_pylist()
        ctx.say(f"{what}: {[row['id'] for row in rows if matches(row)]}")


@case(deadline_s=90)
async def scan_large(ctx):
    """200,000 rows over three buckets, read with small fetches and with large ones."""
    fields = [pa.field("id", pa.int64()), pa.field("text", pa.string())]
    table = await ctx.create("t", fields, bucket_count=3, bucket_keys=["id"])
    writer = table.new_append().create_writer()
    for start in range(0, 200_000, 20_000):
        ids = list(range(start, start + 20_000))
        batch = pa.record_batch([pa.array(ids), pa.array([f"row {i}" for i in ids])], schema=pa.schema(fields))
        writer.write_arrow_batch(batch)
    await writer.flush()
    ctx.say(f"end offsets {await ctx.latest(table, 3)}")
    expected = pa.table({"id": list(range(200_000)), "text": [f"row {i}" for i in range(200_000)]})
    for settings in (
        {},
        {"scanner_log_fetch_max_bytes_for_bucket": 20_000},
        {"scanner_log_fetch_max_bytes": 100_000, "scanner_log_fetch_max_bytes_for_bucket": 60_000},
        {"scanner_log_fetch_min_bytes": 1_000_000, "scanner_log_fetch_wait_max_time_ms": 50},
    ):
        connection = await ctx.connect(**settings)
        again = await connection.get_table(ctx.path("t"))
        scanner = await again.new_scan().create_record_batch_log_scanner()
        scanner.subscribe_buckets({b: fluss.EARLIEST_OFFSET for b in range(3)})
        whole = (await scanner.to_arrow()).sort_by("id")
        ctx.say(f"{settings or 'as usual'}: equal {whole.select(['id', 'text']).equals(expected)}")
