"""Every data type with nulls and extremes, and every compression of the log."""

import datetime as dt
import decimal
import struct

import fluss
import pyarrow as pa

from harness import case

UTC = dt.timezone.utc
D = decimal.Decimal

# name: Arrow type and values; every column gets a null as well.
TYPES = {
    "boolean": (pa.bool_(), [True, False]),
    "tinyint": (pa.int8(), [-128, 0, 127]),
    "smallint": (pa.int16(), [-32768, 0, 32767]),
    "int": (pa.int32(), [-(2**31), 0, 2**31 - 1]),
    "bigint": (pa.int64(), [-(2**63), 0, 2**63 - 1]),
    "float": (pa.float32(), [-1.5, 0.0, 3.4e38, float("inf")]),
    "double": (pa.float64(), [-1.5, 0.0, 1.7976931348623157e308, 5e-324, float("-inf")]),
    "string": (pa.string(), ["", "plain", "äöü 漢字 🛩", "x" * 300]),
    "bytes": (pa.binary(), [b"", b"\x00\xff", bytes(range(256))]),
    "binary_4": (pa.binary(4), [b"\x00\x00\x00\x00", b"abcd"]),
    "decimal_5_2": (pa.decimal128(5, 2), [D("-999.99"), D("0.00"), D("999.99")]),
    "decimal_18_0": (pa.decimal128(18, 0), [D(-(10**18) + 1), D(10**18 - 1)]),
    "decimal_38_18": (pa.decimal128(38, 18), [D("-12345678901234567890.123456789012345678"), D("0")]),
    "date": (
        pa.date32(),
        [dt.date(1, 1, 1), dt.date(1969, 12, 31), dt.date(2013, 7, 4), dt.date(9999, 12, 31)],
    ),
    "time_0": (pa.time32("s"), [dt.time(0, 0, 0), dt.time(23, 59, 59)]),
    "time_3": (pa.time32("ms"), [dt.time(0, 0, 0, 1000), dt.time(23, 59, 59, 999000)]),
    "time_6": (pa.time64("us"), [dt.time(12, 0, 0, 5000), dt.time(23, 59, 59, 999000)]),
    "time_9": (pa.time64("ns"), [dt.time(12, 0, 0, 5000)]),
    "timestamp_0": (pa.timestamp("s"), [dt.datetime(1960, 1, 1), dt.datetime(2013, 7, 4, 1, 2, 3)]),
    "timestamp_3": (pa.timestamp("ms"), [dt.datetime(1960, 1, 1), dt.datetime(2038, 1, 19)]),
    "timestamp_6": (pa.timestamp("us"), [dt.datetime(1960, 1, 1), dt.datetime(2013, 7, 4, 1, 2, 3, 4)]),
    "timestamp_9": (pa.timestamp("ns"), [dt.datetime(2013, 7, 4, 1, 2, 3, 4)]),
    "ltz_0": (pa.timestamp("s", tz="UTC"), [dt.datetime(1960, 1, 1, tzinfo=UTC)]),
    "ltz_3": (pa.timestamp("ms", tz="UTC"), [dt.datetime(2013, 7, 4, 1, 2, 3, 4000, tzinfo=UTC)]),
    "ltz_6": (pa.timestamp("us", tz="UTC"), [dt.datetime(2013, 7, 4, 1, 2, 3, 4, tzinfo=UTC)]),
    "ltz_9": (pa.timestamp("ns", tz="UTC"), [dt.datetime(2013, 7, 4, 1, 2, 3, 4, tzinfo=UTC)]),
}

NESTED = {
    "array_int": (pa.list_(pa.int32()), [[], [1, None, 3]]),
    "array_string": (pa.list_(pa.string()), [["", None, "ü"]]),
    "array_array": (pa.list_(pa.list_(pa.int64())), [[[1], [], None, [2, None]]]),
    "map_string_int": (pa.map_(pa.string(), pa.int32()), [[], [("a", 1), ("b", None)]]),
    "map_int_array": (pa.map_(pa.int32(), pa.list_(pa.string())), [[(1, ["x", None]), (2, None)]]),
    "row": (
        pa.struct([("x", pa.int32()), ("y", pa.string())]),
        [{"x": 1, "y": "a"}, {"x": None, "y": None}],
    ),
    "row_row": (
        pa.struct(
            [("in", pa.struct([("d", pa.decimal128(20, 3)), ("t", pa.timestamp("us"))])), ("n", pa.int64())]
        ),
        [{"in": {"d": D("1.125"), "t": dt.datetime(2013, 7, 4, 1, 2, 3, 4)}, "n": 5}, {"in": None, "n": None}],
    ),
    "array_row": (
        pa.list_(pa.struct([("a", pa.bool_()), ("b", pa.binary())])),
        [[{"a": True, "b": b"\x01"}, None]],
    ),
    "map_row": (pa.map_(pa.string(), pa.struct([("v", pa.float64())])), [[("k", {"v": 0.5})]]),
}


def short(value):
    """A value's repr; floats by their bits, long ones by their length."""
    if isinstance(value, float):
        return struct.pack(">d", value).hex()
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:40]}… ({len(value)})"


async def round_trip(ctx, kind, arrow_type, values):
    """Writes the values and a null as rows and as one Arrow batch; reads both as rows and as Arrow."""
    field = pa.field("v", arrow_type)
    schema = pa.schema([pa.field("id", pa.int32()), field])
    table = await ctx.create(f"t_{kind}", schema)
    written = [*values, None]
    writer = table.new_append().create_writer()
    for i, value in enumerate(written):
        writer.append([i, value])
    await writer.flush()
    column = pa.array(written, arrow_type)
    ids = pa.array(range(len(written)), pa.int32())
    await writer.write_arrow_batch(pa.record_batch([ids, column], schema=schema)).wait()

    rows = [record.row["v"] for _, record in await ctx.read(table, 2 * len(written))]
    scanner = await table.new_scan().project([1]).create_record_batch_log_scanner()
    scanner.subscribe(0, fluss.EARLIEST_OFFSET)
    arrow = (await scanner.to_arrow()).column("v").combine_chunks()

    declared = dict(table.get_table_info().get_schema().get_columns())["v"]
    ctx.say(f"{kind}: {declared} as {arrow.type}")
    ctx.say(f"{kind}: rows {[short(v) for v in rows[: len(written)]]}")
    halves_equal = [short(v) for v in rows[: len(written)]] == [short(v) for v in rows[len(written) :]]
    ctx.say(f"{kind}: the Arrow half reads the same as rows: {halves_equal}")
    expected = column.to_pylist()
    ctx.say(f"{kind}: as Arrow equal to the source: {arrow.to_pylist() == expected + expected}")


async def round_trips(ctx, types):
    for kind, (arrow_type, values) in types.items():
        try:
            await round_trip(ctx, kind, arrow_type, values)
        except fluss.FlussError as error:
            ctx.say(f"{kind}: error {error.error_code}")


@case(deadline_s=120)
async def types_flat(ctx):
    await round_trips(ctx, TYPES)


@case(deadline_s=120)
async def types_nested(ctx):
    await round_trips(ctx, NESTED)


@case()
async def types_not_null(ctx):
    fields = [pa.field(kind, arrow_type, nullable=False) for kind, (arrow_type, _) in TYPES.items()]
    table = await ctx.create("t", fields)
    ctx.say(table.get_table_info().get_schema().get_columns())
    writer = table.new_append().create_writer()
    await writer.append([values[0] for _, values in TYPES.values()]).wait()
    for name, value in (await ctx.read(table, 1))[0][1].row.items():
        ctx.say(f"{name} {short(value)}")


@case()
async def types_before_the_epoch(ctx):
    """Fractions of a second before 1970, as Arrow data: the client's row writer refuses them."""
    fields = [
        pa.field("ms", pa.timestamp("ms")),
        pa.field("us", pa.timestamp("us")),
        pa.field("ltz", pa.timestamp("ns", tz="UTC")),
    ]
    table = await ctx.create("t", fields)
    written = pa.record_batch([pa.array([-1, -999], f.type) for f in fields], schema=pa.schema(fields))
    await table.new_append().create_writer().write_arrow_batch(written).wait()
    scanner = await table.new_scan().create_record_batch_log_scanner()
    scanner.subscribe(0, 0)
    read = await scanner.to_arrow()
    for name in read.column_names:
        ctx.say(f"{name} {read.column(name).cast(pa.int64()).to_pylist()}")


@case()
async def types_all_null(ctx):
    columns = {**TYPES, **NESTED}
    table = await ctx.create("t", [pa.field(kind, spec[0]) for kind, spec in columns.items()])
    writer = table.new_append().create_writer()
    await writer.append({}).wait()
    await writer.append([None] * len(columns)).wait()
    found = await ctx.read(table, 2)
    ctx.say(f"all null: {all(v is None for _, r in found for v in r.row.values())}, columns {len(columns)}")


@case(deadline_s=120)
async def compressions(ctx):
    fields = [pa.field("id", pa.int32()), pa.field("text", pa.string()), pa.field("n", pa.float64())]
    expected = pa.table(
        {
            "id": pa.array(range(20_000), pa.int32()),
            "text": [None if i % 7 == 0 else f"text {i % 100}" for i in range(20_000)],
            "n": [None if i % 5 == 0 else i / 8 for i in range(20_000)],
        },
        schema=pa.schema(fields),
    )
    choices = [
        {},
        {"table.log.arrow.compression.type": "NONE"},
        {"table.log.arrow.compression.type": "LZ4_FRAME"},
        {"table.log.arrow.compression.type": "ZSTD"},
    ]
    for number, properties in enumerate(choices):
        shown = " ".join(properties.values()) or "default"
        table = await ctx.create(f"t{number}", fields, properties=properties)
        writer = table.new_append().create_writer()
        writer.write_arrow(expected)
        await writer.flush()
        await writer.append([-1, None, None]).wait()
        for what, columns in (("whole", [0, 1, 2]), ("projected", [2, 0])):
            scanner = await table.new_scan().project(columns).create_record_batch_log_scanner()
            scanner.subscribe(0, 0)
            read = await scanner.to_arrow()
            names = [fields[c].name for c in columns]
            same = (
                read.slice(0, 20_000).select(names).combine_chunks() == expected.select(names).combine_chunks()
            )
            ctx.say(f"{shown}: {what} {read.num_rows} rows, equal {same}")
        limited = (
            table.new_scan()
            .limit(2)
            .create_bucket_batch_scanner(fluss.TableBucket(table.get_table_info().table_id, 0))
        )
        ctx.say(f"{shown}: the last two {(await limited.to_arrow()).to_pylist()}")


@case()
async def log_formats(ctx):
    """The client reads and writes ARROW only; the server accepts the others, and the client refuses to use them."""
    for log_format in ("ARROW", "INDEXED", "COMPACTED"):
        made = await ctx.attempt(
            f"{log_format}: create",
            ctx.create(
                f"t_{log_format}", [pa.field("id", pa.int32())], properties={"table.log.format": log_format}
            ),
        )
        if made is not None:
            await ctx.attempt(f"{log_format}: scan", made.new_scan().create_log_scanner())
