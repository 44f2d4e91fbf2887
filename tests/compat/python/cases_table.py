"""Tables: creating with all their options, what the server says about them, and what it refuses."""

import fluss
import pyarrow as pa

from harness import case

ID = pa.field("id", pa.int32())
NAME = pa.field("name", pa.string())


def descriptor(fields, **options):
    return fluss.TableDescriptor(fluss.Schema(pa.schema(fields)), **options)


def describe(ctx, info):
    ctx.say(f"path {info.table_path.table_path_str()}")
    ctx.say(f"schema {info.schema_id}: {info.get_schema().get_columns()}")
    ctx.say(f"buckets {info.num_buckets} by {info.get_bucket_keys()}")
    ctx.say(f"partitioned {info.is_partitioned()} by {info.get_partition_keys()}")
    ctx.say(f"primary key {info.has_primary_key()} {info.get_primary_keys()}")
    ctx.say(f"comment {info.comment!r}")
    ctx.say(f"properties {sorted(info.get_properties().items())}")
    ctx.say(f"custom {sorted(info.get_custom_properties().items())}")
    ctx.say(f"created is modified: {info.created_time == info.modified_time}")


@case()
async def table_defaults(ctx):
    await ctx.create("plain", [ID, NAME])
    describe(ctx, await ctx.admin.get_table_info(ctx.path("plain")))


@case()
async def table_all_options(ctx):
    fields = [pa.field("id", pa.int64(), nullable=False), NAME, pa.field("region", pa.string())]
    await ctx.create(
        "full",
        fields,
        bucket_count=5,
        bucket_keys=["id", "name"],
        partition_keys=["region"],
        comment="everything set: äöü",
        log_format="ARROW",
        properties={"table.log.ttl": "3d", "table.log.arrow.compression.type": "LZ4_FRAME"},
        custom_properties={"team": "blue", "connector.x": "1"},
    )
    describe(ctx, await ctx.admin.get_table_info(ctx.path("full")))


@case()
async def table_list_exists_drop(ctx):
    admin = ctx.admin
    for name in ("b", "a", "c_1"):
        await ctx.create(name, [ID])
    ctx.say(f"tables {sorted(await admin.list_tables(ctx.database))}")
    ctx.say(f"exists {await admin.table_exists(ctx.path('a'))}")
    await ctx.attempt("drop", admin.drop_table(ctx.path("a")))
    ctx.say(f"exists after drop {await admin.table_exists(ctx.path('a'))}")
    ctx.say(f"tables {sorted(await admin.list_tables(ctx.database))}")
    await ctx.attempt("drop again", admin.drop_table(ctx.path("a")))
    await ctx.attempt("drop again, ignoring", admin.drop_table(ctx.path("a"), True))
    await ctx.attempt("info", admin.get_table_info(ctx.path("a")))


@case()
async def table_ids_grow(ctx):
    ids = []
    for _ in range(3):
        table = await ctx.create("again", [ID])
        ids.append(table.get_table_info().table_id)
        await ctx.admin.drop_table(ctx.path("again"))
    ctx.say(f"each larger than the one before: {ids == sorted(set(ids))}")


@case()
async def table_create_errors(ctx):
    admin, path = ctx.admin, ctx.path
    await ctx.create("there", [ID])
    await ctx.attempt("create again", admin.create_table(path("there"), descriptor([ID])))
    await ctx.attempt("create again, ignoring", admin.create_table(path("there"), descriptor([ID, NAME]), True))
    columns = (await admin.get_table_info(path("there"))).get_column_names()
    ctx.say(f"its columns are {columns}")
    nowhere = fluss.TablePath("no_such_database", "t")
    await ctx.attempt("in no database", admin.create_table(nowhere, descriptor([ID])))
    ctx.say(f"exists in no database {await admin.table_exists(nowhere)}")


async def create_with_buckets(ctx, count):
    made = descriptor([ID], bucket_count=count)
    await ctx.attempt(f"{count} buckets", ctx.admin.create_table(ctx.path("t"), made))


@case()
async def table_too_many_buckets(ctx):
    await create_with_buckets(ctx, 1_000_000)


@case()
async def table_no_buckets(ctx):
    await create_with_buckets(ctx, 0)
    await create_with_buckets(ctx, -1)


@case()
async def table_replication_not_a_number(ctx):
    made = descriptor([ID], properties={"table.replication.factor": "many"})
    await ctx.attempt("create", ctx.admin.create_table(ctx.path("t"), made))


@case()
async def table_open_missing(ctx):
    await ctx.attempt("open", ctx.connection.get_table(ctx.path("t")))


@case()
async def table_no_columns(ctx):
    await ctx.attempt("create", ctx.admin.create_table(ctx.path("t"), descriptor([])))


@case()
async def table_bucket_key_twice(ctx):
    made = descriptor([ID], bucket_keys=["id", "id"], bucket_count=2)
    await ctx.attempt("create", ctx.admin.create_table(ctx.path("t"), made))


@case()
async def table_schema_errors(ctx):
    refused = {
        "column twice": ([ID, ID], {}),
        "reserved column name __offset": ([pa.field("__offset", pa.int64())], {}),
        "reserved column name __timestamp": ([pa.field("__timestamp", pa.int64())], {}),
        "reserved column name __bucket": ([pa.field("__bucket", pa.int32())], {}),
        "bucket key not a column": ([ID], {"bucket_keys": ["nope"], "bucket_count": 2}),
        "bucket key an array": (
            [pa.field("a", pa.list_(pa.int32()))],
            {"bucket_keys": ["a"], "bucket_count": 2},
        ),
        "partition key not a column": ([ID], {"partition_keys": ["nope"]}),
        "partition key an array": (
            [pa.field("a", pa.list_(pa.int32()))],
            {"partition_keys": ["a"]},
        ),
        "partition key in the bucket key": (
            [ID, NAME],
            {"partition_keys": ["id"], "bucket_keys": ["id"], "bucket_count": 2},
        ),
        "unsupported Arrow type": ([pa.field("a", pa.duration("s"))], {}),
    }
    for what, (fields, options) in refused.items():
        made = ctx.attempt_call(f"descriptor: {what}", descriptor, fields, **options)
        if made:
            await ctx.attempt(f"create: {what}", ctx.admin.create_table(ctx.path("t"), made))
            await ctx.admin.drop_table(ctx.path("t"), ignore_if_not_exists=True)


@case()
async def table_property_errors(ctx):
    for properties in (
        {"table.no.such.key": "1"},
        {"table.log.ttl": "soon"},
        {"table.replication.factor": "2"},
        {"table.replication.factor": "0"},
        {"table.log.format": "PARQUET"},
        {"table.log.arrow.compression.type": "BROTLI"},
        {"table.log.arrow.compression.type": "ZSTD", "table.log.arrow.compression.zstd.level": "50"},
        {"table.log.arrow.compression.type": "ZSTD", "table.log.arrow.compression.zstd.level": "7"},
        {"table.log.tiered.local-segments": "0"},
        {"table.log.tiered.local-segments": "3"},
        {"table.auto-partition.enabled": "true"},
    ):
        shown = ", ".join(f"{key}={value}" for key, value in properties.items())
        made = ctx.attempt_call(f"descriptor {shown}", descriptor, [ID], properties=properties)
        if made:
            await ctx.attempt(f"create {shown}", ctx.admin.create_table(ctx.path("t"), made))
            await ctx.admin.drop_table(ctx.path("t"), ignore_if_not_exists=True)


@case()
async def table_names(ctx):
    names = {
        "empty": "",
        "dot": ".",
        "a dot inside": "a.b",
        "a slash": "a/b",
        "a space": "a b",
        "an umlaut": "ä",
        "reserved prefix": "__t",
        "201 characters": "x" * 201,
        "200 characters": "x" * 200,
        "hyphen and digits": "a-1_B",
    }
    for what, name in names.items():
        await ctx.attempt(what, ctx.admin.create_table(fluss.TablePath(ctx.database, name), descriptor([ID])))


@case(deadline_s=90)
async def table_1024_buckets(ctx):
    table = await ctx.create("wide", [ID], bucket_count=1024, bucket_keys=["id"])
    writer = table.new_append().create_writer()
    for i in range(3000):
        writer.append([i])
    await writer.flush()
    ends = await ctx.latest(table, 1024)
    ctx.say(f"buckets {len(ends)}, rows {sum(ends)}, largest bucket {max(ends)}")
    ctx.say(f"buckets without rows {ends.count(0)}")
    found = await ctx.read(table, 3000, {b: fluss.EARLIEST_OFFSET for b in range(1024)})
    ctx.say(f"every row read back: {sorted(r.row['id'] for _, r in found) == list(range(3000))}")
