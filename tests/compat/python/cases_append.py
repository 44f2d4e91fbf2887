"""Appending: rows in their shapes, Arrow data, acknowledgements, idempotence, and which bucket a key goes to."""

import datetime
import decimal

import fluss
import pyarrow as pa

from harness import case

ID = pa.field("id", pa.int32())
NAME = pa.field("name", pa.string())


SMALL_BATCHES = {
    "writer_dynamic_batch_size_enabled": False,
    "writer_dynamic_batch_size_min": 2048,
    "writer_batch_size": 2048,
}


def show(found):
    return [(bucket, record.offset, record.row) for bucket, record in found]


@case()
async def append_rows(ctx):
    table = await ctx.create("t", [ID, NAME])
    writer = table.new_append().create_writer()
    await writer.append({"id": 1, "name": "a dict"}).wait()
    await writer.append([2, "a list"]).wait()
    await writer.append((3, "a tuple")).wait()
    await writer.append({"id": 4}).wait()
    await writer.append({"id": 5, "name": ""}).wait()
    found = await ctx.read(table, 5)
    for line in show(found):
        ctx.say(line)
    ctx.say(f"change types {sorted({r.change_type.short_string() for _, r in found})}")
    times = [r.timestamp for _, r in found]
    ctx.say(f"commit times grow: {times == sorted(times) and times[0] > 1_600_000_000_000}")


@case()
async def append_refused_by_the_client(ctx):
    table = await ctx.create("t", [pa.field("id", pa.int32(), nullable=False), NAME])
    writer = table.new_append().create_writer()
    ctx.attempt_call("a column is missing", writer.append, {"name": "x"})
    ctx.attempt_call("too few values", writer.append, [1])
    ctx.attempt_call("too many values", writer.append, [1, "x", 2])
    ctx.attempt_call("an unknown column", writer.append, {"id": 1, "nope": 2})
    ctx.attempt_call("a wrong type", writer.append, ["one", "x"])
    ctx.attempt_call("out of range", writer.append, [2**40, "x"])
    ctx.say(f"end offsets {await ctx.latest(table)}")


@case()
async def append_arrow(ctx):
    schema = pa.schema([ID, NAME])
    table = await ctx.create("t", schema)
    writer = table.new_append().create_writer()
    batch = pa.record_batch([pa.array([1, 2, None], pa.int32()), pa.array(["x", None, "z"])], schema=schema)
    await writer.write_arrow_batch(batch).wait()
    writer.write_arrow(pa.table({"id": pa.array([4, 5], pa.int32()), "name": pa.array(["p", "q"])}))
    await writer.flush()
    writer.write_pandas(pa.table({"id": pa.array([6], pa.int32()), "name": pa.array(["r"])}).to_pandas())
    await writer.flush()
    for line in show(await ctx.read(table, 6)):
        ctx.say(line)
    wrong = pa.record_batch([pa.array([1], pa.int64())], names=["other"])
    ctx.attempt_call("a batch of another schema", writer.write_arrow_batch, wrong)


@case()
async def append_context_manager(ctx):
    table = await ctx.create("t", [ID])
    async with table.new_append().create_writer() as writer:
        for i in range(1000):
            writer.append([i])
    ctx.say(f"end offsets {await ctx.latest(table)}")


@case()
async def append_acks(ctx):
    await ctx.create("t", [ID])
    expected = 0
    for acks in ("0", "1", "-1", "all"):
        connection = await ctx.connect(writer_acks=acks, writer_enable_idempotence=False)
        table = await connection.get_table(ctx.path("t"))
        writer = table.new_append().create_writer()
        for i in range(10):
            writer.append([i])
        await ctx.attempt(f"acks {acks}", writer.flush())
        expected += 10
        # acks 0 is not answered, so the rows are awaited by reading.
        found = await ctx.read(table, expected)
        ctx.say(f"acks {acks}: offsets up to {found[-1][1].offset}")


@case()
async def append_idempotent(ctx):
    await ctx.create("t", [ID])
    for idempotent in (True, False):
        connection = await ctx.connect(writer_enable_idempotence=idempotent, **SMALL_BATCHES)
        table = await connection.get_table(ctx.path("t"))
        writer = table.new_append().create_writer()
        for i in range(5000):
            writer.append([i])
        await writer.flush()
        ctx.say(f"idempotent {idempotent}: end offsets {await ctx.latest(table)}")
    found = await ctx.read(table, 10000)
    ids = [r.row["id"] for _, r in found]
    ctx.say(f"idempotent rows in order: {ids[:5000] == list(range(5000))}")
    ctx.say(f"the others complete: {sorted(ids[5000:]) == list(range(5000))}")
    ctx.say(f"offsets without gaps: {[r.offset for _, r in found] == list(range(10000))}")


@case()
async def append_two_writers(ctx):
    table = await ctx.create("t", [ID])
    second = await (await ctx.connect()).get_table(ctx.path("t"))
    writers = [table.new_append().create_writer(), second.new_append().create_writer()]
    for i in range(20):
        await writers[i % 2].append([i]).wait()
    found = await ctx.read(table, 20)
    ctx.say(f"in the order of acknowledgement: {[r.row['id'] for _, r in found] == list(range(20))}")


@case()
async def append_without_a_key(ctx):
    await ctx.create("t", [ID], bucket_count=4)
    for assigner in ("round_robin", "sticky"):
        connection = await ctx.connect(writer_bucket_no_key_assigner=assigner)
        table = await connection.get_table(ctx.path("t"))
        before = sum(await ctx.latest(table, 4))
        writer = table.new_append().create_writer()
        for i in range(400):
            writer.append([i])
        await writer.flush()
        ends = await ctx.latest(table, 4)
        ctx.say(f"{assigner}: {sum(ends) - before} rows")
        if assigner == "round_robin":
            ctx.say(f"{assigner}: rows per bucket {ends}")


@case()
async def append_large_values(ctx):
    table = await ctx.create("t", [ID, pa.field("data", pa.binary())])
    writer = table.new_append().create_writer()
    sizes = [0, 1, 65_535, 65_536, 1_000_000, 3_000_000]
    for i, size in enumerate(sizes):
        await writer.append([i, bytes([i]) * size]).wait()
    for bucket, record in await ctx.read(table, len(sizes)):
        data = record.row["data"]
        ctx.say(f"{record.row['id']}: {len(data)} bytes, equal {data == bytes([record.row['id']]) * len(data)}")


KEYS = {
    "bool": (pa.bool_(), [True, False]),
    "tinyint": (pa.int8(), [-128, -1, 0, 1, 127]),
    "smallint": (pa.int16(), [-32768, -1, 0, 1, 32767]),
    "int": (pa.int32(), [-(2**31), -1, 0, 1, 2, 3, 2**31 - 1]),
    "bigint": (pa.int64(), [-(2**63), -1, 0, 1, 2**40, 2**63 - 1]),
    "float": (pa.float32(), [-1.5, 0.0, 3.25]),
    "double": (pa.float64(), [-1.5, 0.0, 1e300]),
    "string": (pa.string(), ["", "a", "UA", "äöü", "漢字", "x" * 100]),
    "bytes": (pa.binary(), [b"", b"\x00", b"\xff\x00\x01"]),
    "binary": (pa.binary(3), [b"\x00\x00\x00", b"abc"]),
    "decimal": (pa.decimal128(10, 2), [decimal.Decimal("-1.25"), decimal.Decimal("0.00")]),
    "wide_decimal": (pa.decimal128(38, 10), [decimal.Decimal("-1.25"), decimal.Decimal(10**20)]),
    "date": (pa.date32(), [datetime.date(1969, 12, 31), datetime.date(2013, 7, 4)]),
    "time": (pa.time32("ms"), [datetime.time(0, 0), datetime.time(23, 59, 59)]),
    "timestamp": (
        pa.timestamp("us"),
        [datetime.datetime(1960, 1, 1), datetime.datetime(2013, 7, 4, 1, 2, 3, 4)],
    ),
    "timestamp_ltz": (
        pa.timestamp("ms", tz="UTC"),
        [datetime.datetime(2013, 7, 4, tzinfo=datetime.timezone.utc)],
    ),
}


@case(deadline_s=90)
async def bucket_of_each_key(ctx):
    for kind, (arrow_type, values) in KEYS.items():
        field = pa.field("k", arrow_type)
        table = await ctx.create(f"t_{kind}", [field], bucket_count=16, bucket_keys=["k"])
        writer = table.new_append().create_writer()
        for value in values:
            writer.append([value])
        await writer.flush()
        found = await ctx.read(table, len(values), {b: fluss.EARLIEST_OFFSET for b in range(16)})
        placed = {repr(record.row["k"])[:40]: bucket for bucket, record in found}
        for value in sorted(placed):
            ctx.say(f"{kind} {value} -> {placed[value]}")


@case()
async def bucket_of_two_keys(ctx):
    fields = [pa.field("a", pa.int32()), pa.field("v", pa.string()), pa.field("b", pa.string())]
    table = await ctx.create("t", fields, bucket_count=8, bucket_keys=["b", "a"])
    batch = pa.record_batch(
        [pa.array(list(range(12)), pa.int32()), pa.array(["v"] * 12), pa.array(["x", "y", "z"] * 4)],
        schema=pa.schema(fields),
    )
    writer = table.new_append().create_writer()
    await writer.write_arrow_batch(batch).wait()
    for i in range(12):
        writer.append({"a": i, "v": "w", "b": "xyz"[i % 3]})
    await writer.flush()
    found = await ctx.read(table, 24, {b: fluss.EARLIEST_OFFSET for b in range(8)})
    places = {}
    for bucket, record in found:
        places.setdefault((record.row["b"], record.row["a"]), set()).add(bucket)
    for key in sorted(places):
        ctx.say(f"{key} -> {sorted(places[key])}")
