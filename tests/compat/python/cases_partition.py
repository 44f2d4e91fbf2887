"""Partitions. The Python client has no dynamic creation: a writer needs its partition to exist."""

import datetime

import fluss
import pyarrow as pa

from harness import case

ID = pa.field("id", pa.int32())
REGION = pa.field("region", pa.string())
DAY = pa.field("day", pa.string())


async def names(ctx, table, spec=None):
    infos = await ctx.admin.list_partition_infos(ctx.path(table), spec)
    return sorted(info.partition_name for info in infos)


@case()
async def partition_create_list_drop(ctx):
    admin, path = ctx.admin, ctx.path("t")
    await ctx.create("t", [ID, REGION], partition_keys=["region"])
    ctx.say(f"at first {await names(ctx, 't')}")
    for region in ("EU", "US", "A-1_b"):
        await ctx.attempt(f"create {region}", admin.create_partition(path, {"region": region}))
    ctx.say(f"then {await names(ctx, 't')}")
    ids = [i.partition_id for i in await admin.list_partition_infos(path)]
    ctx.say(f"ids differ: {len(set(ids)) == len(ids)}")
    await ctx.attempt("create again", admin.create_partition(path, {"region": "EU"}))
    await ctx.attempt("create again, ignoring", admin.create_partition(path, {"region": "EU"}, True))
    await ctx.attempt("drop", admin.drop_partition(path, {"region": "EU"}))
    await ctx.attempt("drop again", admin.drop_partition(path, {"region": "EU"}))
    await ctx.attempt("drop again, ignoring", admin.drop_partition(path, {"region": "EU"}, True))
    ctx.say(f"at last {await names(ctx, 't')}")


@case()
async def partition_errors(ctx):
    admin, path = ctx.admin, ctx.path("t")
    await ctx.create("t", [ID, REGION, DAY], partition_keys=["region", "day"])
    await ctx.create("flat", [ID, REGION])
    specs = {
        "no keys": {},
        "one of two keys": {"region": "EU"},
        "an unknown key": {"region": "EU", "nope": "1"},
        "one key too many": {"region": "EU", "day": "1", "id": "1"},
        "an empty value": {"region": "", "day": "1"},
        "a slash": {"region": "a/b", "day": "1"},
        "a dot": {"region": "a.b", "day": "1"},
        "a dollar": {"region": "a$b", "day": "1"},
        "a space": {"region": "a b", "day": "1"},
        "reserved prefix": {"region": "__x", "day": "1"},
        "300 characters": {"region": "x" * 300, "day": "1"},
    }
    for what, spec in specs.items():
        await ctx.attempt(what, admin.create_partition(path, spec))
    ctx.say(f"partitions {await names(ctx, 't')}")
    await ctx.attempt("not partitioned", admin.create_partition(ctx.path("flat"), {"region": "x"}))
    await ctx.attempt("list, not partitioned", names(ctx, "flat"))
    await ctx.attempt("drop, not partitioned", admin.drop_partition(ctx.path("flat"), {"region": "x"}))
    await ctx.attempt("no table", admin.create_partition(ctx.path("none"), {"region": "x"}))
    await ctx.attempt("list, no table", names(ctx, "none"))


@case()
async def partition_two_keys(ctx):
    admin, path = ctx.admin, ctx.path("t")
    await ctx.create("t", [ID, REGION, DAY], partition_keys=["region", "day"])
    for region in ("EU", "US"):
        for day in ("01", "02"):
            await admin.create_partition(path, {"day": day, "region": region})
    ctx.say(f"all {await names(ctx, 't')}")
    ctx.say(f"by region {await names(ctx, 't', {'region': 'EU'})}")
    ctx.say(f"by day {await names(ctx, 't', {'day': '02'})}")
    ctx.say(f"by both {await names(ctx, 't', {'region': 'US', 'day': '01'})}")
    ctx.say(f"by one that is not there {await names(ctx, 't', {'region': 'AS'})}")


@case()
async def partition_list_by_unknown_key(ctx):
    await ctx.create("t", [ID, REGION], partition_keys=["region"])
    await ctx.admin.create_partition(ctx.path("t"), {"region": "EU"})
    await ctx.attempt("list", names(ctx, "t", {"nope": "1"}))


async def read_partition(ctx, table, partition_id, count, buckets=1):
    scanner = await table.new_scan().create_log_scanner()
    scanner.subscribe_partition_buckets({(partition_id, b): fluss.EARLIEST_OFFSET for b in range(buckets)})
    return await ctx.drain(scanner, count)


@case()
async def partition_append_and_scan(ctx):
    admin, path = ctx.admin, ctx.path("t")
    table = await ctx.create("t", [ID, REGION], partition_keys=["region"], bucket_keys=["id"], bucket_count=2)
    for region in ("EU", "US"):
        await ctx.create_partition(path, {"region": region}, 2)
    writer = table.new_append().create_writer()
    for i in range(20):
        writer.append([i, "EU" if i % 4 else "US"])
    await writer.flush()
    for info in sorted(await admin.list_partition_infos(path), key=lambda i: i.partition_name):
        ends = await admin.list_partition_offsets(path, info.partition_name, [0, 1], fluss.OffsetSpec.latest())
        ctx.say(f"{info.partition_name} ends at {sorted(ends.items())}")
        found = await read_partition(ctx, table, info.partition_id, sum(ends.values()), 2)
        ctx.say(f"{info.partition_name} {[(b, r.offset, r.row['id']) for b, r in found]}")
    await ctx.attempt(
        "offsets of no partition",
        admin.list_partition_offsets(path, "AS", [0], fluss.OffsetSpec.latest()),
    )
    scanner = await table.new_scan().create_log_scanner()
    ctx.attempt_call("subscribe without a partition", scanner.subscribe, 0, 0)


@case()
async def partition_drop_with_data(ctx):
    admin, path = ctx.admin, ctx.path("t")
    table = await ctx.create("t", [ID, REGION], partition_keys=["region"])
    await admin.create_partition(path, {"region": "EU"})
    writer = table.new_append().create_writer()
    for i in range(5):
        writer.append([i, "EU"])
    await writer.flush()
    first = (await admin.list_partition_infos(path))[0].partition_id
    await admin.drop_partition(path, {"region": "EU"})
    await ctx.create_partition(path, {"region": "EU"})
    second = (await admin.list_partition_infos(path))[0].partition_id
    ctx.say(f"made again with a larger id: {second > first}")
    offsets = await admin.list_partition_offsets(path, "EU", [0], fluss.OffsetSpec.latest())
    ctx.say(f"and empty: {offsets}")


KEY_VALUES = {
    "bool": (pa.bool_(), True, "true"),
    "tinyint": (pa.int8(), -5, "-5"),
    "smallint": (pa.int16(), 300, "300"),
    "int": (pa.int32(), 7, "7"),
    "bigint": (pa.int64(), 2**40, str(2**40)),
    "string": (pa.string(), "a_b-c", "a_b-c"),
    "float": (pa.float32(), 1.5, "1_5"),
    "double": (pa.float64(), -2.25, "-2_25"),
    "bytes": (pa.binary(), b"\x01\xff", "01ff"),
    "binary": (pa.binary(2), b"\x0a\x0b", "0a0b"),
    "date": (pa.date32(), datetime.date(2013, 7, 4), "2013-07-04"),
    "time": (pa.time32("ms"), datetime.time(1, 2, 3), "01-02-03_000"),
    "timestamp": (pa.timestamp("ms"), datetime.datetime(2013, 7, 4, 1, 2, 3), "2013-07-04-01-02-03_"),
}


@case(deadline_s=90)
async def partition_key_types(ctx):
    for kind, (arrow_type, value, name) in KEY_VALUES.items():
        path = ctx.path(f"t_{kind}")
        made = await ctx.attempt(
            f"{kind}: create", ctx.create(f"t_{kind}", [ID, pa.field("k", arrow_type)], partition_keys=["k"])
        )
        if made is None:
            continue
        await ctx.attempt(f"{kind}: partition {name}", ctx.admin.create_partition(path, {"k": name}))
        writer = made.new_append().create_writer()
        await writer.append([1, value]).wait()
        infos = await ctx.admin.list_partition_infos(path)
        found = await read_partition(ctx, made, infos[0].partition_id, 1)
        ctx.say(f"{kind}: read {found[0][1].row['k']!r} from {infos[0].partition_name}")
