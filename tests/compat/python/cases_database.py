"""Connecting, and databases."""

import fluss
import pyarrow as pa

from harness import case


@case()
async def connect(ctx):
    for node in sorted(await ctx.admin.get_server_nodes(), key=lambda n: n.server_type):
        ctx.say(f"{node.server_type} id {node.id}")
    nobody = fluss.Config({"bootstrap.servers": "127.0.0.1:1"})
    await ctx.attempt("connect where nobody listens", fluss.FlussConnection.create(nobody))
    both = await fluss.FlussConnection.create(
        fluss.Config({"bootstrap.servers": f"127.0.0.1:1,{ctx.bootstrap}"})
    )
    ctx.say(f"second bootstrap address: {len(await both.get_admin().get_server_nodes())} nodes")
    await both.close()


@case()
async def database_create_and_info(ctx):
    name = ctx.database + "_x"
    descriptor = fluss.DatabaseDescriptor("a comment, with ü and 漢", {"owner": "me", "empty": ""})
    await ctx.admin.create_database(name, descriptor)
    info = await ctx.admin.get_database_info(name)
    ctx.say(f"name {info.database_name}")
    ctx.say(f"comment {info.get_database_descriptor().comment!r}")
    ctx.say(f"properties {sorted(info.get_database_descriptor().get_custom_properties().items())}")
    ctx.say(f"created is modified: {info.created_time == info.modified_time}")
    ctx.say(f"exists {await ctx.admin.database_exists(name)}")
    listed = [d for d in await ctx.admin.list_databases() if d.startswith(ctx.database)]
    ctx.say(f"listed {sorted(listed)}")
    await ctx.admin.drop_database(name)
    ctx.say(f"exists after drop {await ctx.admin.database_exists(name)}")

    bare = (await ctx.admin.get_database_info(ctx.database)).get_database_descriptor()
    ctx.say(f"without a descriptor: {bare.comment!r} {bare.get_custom_properties()}")


@case()
async def database_errors(ctx):
    admin, name = ctx.admin, ctx.database
    await ctx.attempt("create again", admin.create_database(name))
    await ctx.attempt("create again, ignoring", admin.create_database(name, ignore_if_exists=True))
    await ctx.attempt("info of none", admin.get_database_info("no_such_database"))
    await ctx.attempt("drop none", admin.drop_database("no_such_database"))
    await ctx.attempt("drop none, ignoring", admin.drop_database("no_such_database", ignore_if_not_exists=True))
    await ctx.attempt("tables of none", admin.list_tables("no_such_database"))
    ctx.say(f"exists none {await admin.database_exists('no_such_database')}")


@case()
async def database_names(ctx):
    names = {
        "empty": "",
        "dot": ".",
        "two dots": "..",
        "a dot inside": "a.b",
        "a slash": "a/b",
        "a space": "a b",
        "an umlaut": "ä",
        "reserved prefix": "__internal",
        "201 characters": "x" * 201,
        "dollar": "a$b",
    }
    for what, name in names.items():
        await ctx.attempt(what, ctx.admin.create_database(name))
    longest = (ctx.database + "_" + "x" * 200)[:200]
    await ctx.attempt("200 characters", ctx.admin.create_database(longest))
    await ctx.attempt("drop it", ctx.admin.drop_database(longest))
    hyphen = ctx.database + "-hyphen"
    await ctx.attempt("a hyphen", ctx.admin.create_database(hyphen))
    await ctx.attempt("drop it", ctx.admin.drop_database(hyphen))


@case()
async def database_drop_cascade(ctx):
    for table in ("one", "two"):
        await ctx.create(table, [("a", pa.int32())])
    await ctx.attempt("drop with tables", ctx.admin.drop_database(ctx.database, cascade=False))
    ctx.say(f"tables {sorted(await ctx.admin.list_tables(ctx.database))}")
    await ctx.attempt("drop cascading", ctx.admin.drop_database(ctx.database, cascade=True))
    ctx.say(f"exists {await ctx.admin.database_exists(ctx.database)}")
    await ctx.attempt("create again", ctx.admin.create_database(ctx.database))
    ctx.say(f"tables {await ctx.admin.list_tables(ctx.database)}")
    await ctx.attempt("drop the empty one", ctx.admin.drop_database(ctx.database, cascade=False))
