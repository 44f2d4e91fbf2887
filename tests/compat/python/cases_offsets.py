"""Offsets: earliest, latest, by commit time, and reading from each of them."""

import asyncio
import time

import fluss
import pyarrow as pa

from harness import case

ID = pa.field("id", pa.int32())


async def append(table, ids):
    writer = table.new_append().create_writer()
    for i in ids:
        writer.append([i])
    await writer.flush()


async def three_commits(ctx):
    """A table with ids 0..4, 5..9 and 10..14, and the commit time of each group."""
    table = await ctx.create("t", [ID])
    for start in (0, 5, 10):
        await append(table, range(start, start + 5))
        await next_millisecond()
    found = await ctx.read(table, 15)
    times = [found[i][1].timestamp for i in (0, 5, 10)]
    return table, times


async def next_millisecond():
    """Waits until the clock shows another millisecond, so that two commits have different times."""
    now = time.time_ns() // 1_000_000
    while time.time_ns() // 1_000_000 <= now + 2:
        await asyncio.sleep(0.001)


async def offset_at(ctx, table, spec):
    return (await ctx.admin.list_offsets(table.get_table_path(), [0], spec))[0]


@case()
async def offsets_of_an_empty_table(ctx):
    table = await ctx.create("t", [ID], bucket_count=3)
    for name, spec in (
        ("earliest", fluss.OffsetSpec.earliest()),
        ("latest", fluss.OffsetSpec.latest()),
        ("timestamp 0", fluss.OffsetSpec.timestamp(0)),
    ):
        offsets = await ctx.admin.list_offsets(table.get_table_path(), [0, 1, 2], spec)
        ctx.say(f"{name} {sorted(offsets.items())}")


@case()
async def offsets_by_time(ctx):
    table, times = await three_commits(ctx)
    ctx.say(f"commit times differ: {len(set(times)) == 3}")
    ctx.say(f"earliest {await offset_at(ctx, table, fluss.OffsetSpec.earliest())}")
    ctx.say(f"latest {await offset_at(ctx, table, fluss.OffsetSpec.latest())}")
    for number, moment in enumerate(times):
        for delta in (-1, 0, 1):
            offset = await offset_at(ctx, table, fluss.OffsetSpec.timestamp(moment + delta))
            ctx.say(f"commit {number} {delta:+d} ms: {offset}")
    ctx.say(f"long ago {await offset_at(ctx, table, fluss.OffsetSpec.timestamp(1))}")


@case()
async def offsets_errors(ctx):
    table = await ctx.create("t", [ID], bucket_count=2)
    path = table.get_table_path()
    tomorrow = int(time.time() * 1000) + 86_400_000
    latest = fluss.OffsetSpec.latest()
    await ctx.attempt("tomorrow", offset_at(ctx, table, fluss.OffsetSpec.timestamp(tomorrow)))
    await ctx.attempt("a bucket too many", ctx.admin.list_offsets(path, [0, 2], latest))
    await ctx.attempt("no bucket", ctx.admin.list_offsets(path, [], latest))


@case()
async def offsets_of_a_missing_table(ctx):
    await ctx.attempt("list", ctx.admin.list_offsets(ctx.path("none"), [0], fluss.OffsetSpec.latest()))


@case()
async def scan_from_each_start(ctx):
    table, times = await three_commits(ctx)
    by_time = await offset_at(ctx, table, fluss.OffsetSpec.timestamp(times[1]))
    for name, start in (("earliest", fluss.EARLIEST_OFFSET), ("0", 0), ("7", 7), ("by time", by_time)):
        first = max(start, 0)
        found = await ctx.read(table, 15 - first, {0: start})
        ctx.say(f"from {name}: {[(r.offset, r.row['id']) for _, r in found]}")
    end = await offset_at(ctx, table, fluss.OffsetSpec.latest())
    scanner = await table.new_scan().create_log_scanner()
    scanner.subscribe(0, end)
    ctx.say(f"from the end, nothing yet: {len(await scanner.poll(100))}")
    await append(table, [15, 16])
    found = await ctx.drain(scanner, 2)
    ctx.say(f"from the end, after an append: {[(r.offset, r.row['id']) for _, r in found]}")


@case()
async def scan_beyond_the_end(ctx):
    table = await ctx.create("t", [ID])
    await append(table, range(3))
    scanner = await table.new_scan().create_log_scanner()
    scanner.subscribe(0, 100)
    found = None
    for _ in range(20):
        found = await ctx.attempt("poll", scanner.poll(500))
        if found is None or len(found) > 0:
            break
    ctx.say(f"records {None if found is None else len(found)}")


@case()
async def scan_wakes_on_append(ctx):
    table = await ctx.create("t", [ID])
    scanner = await table.new_scan().create_log_scanner()
    scanner.subscribe(0, fluss.EARLIEST_OFFSET)
    for round_number in range(5):
        waiting = asyncio.ensure_future(ctx.drain(scanner, 1))
        await asyncio.sleep(0)
        await append(table, [round_number])
        found = await waiting
        ctx.say(f"{[(r.offset, r.row['id']) for _, r in found]}")
