"""Runs the cases of the Python suite and prints their transcript.

A case is a coroutine that takes a Context. Each runs with a connection and a database of its own, under a deadline,
and prints lines that are the same in every run against the same server: no ids, times, ports or generated names.

    case NAME
      line
      what: error 7 TABLE_NOT_EXIST
    cases N
"""

import asyncio
import os
import sys
import threading
import time
import traceback

import fluss
import pyarrow as pa

_CASES = []
_ERROR_NAMES = {
    value: name for name, value in vars(fluss.ErrorCode).items() if name.isupper() and isinstance(value, int)
}
_NOT_READY = {
    fluss.ErrorCode.NOT_LEADER_OR_FOLLOWER,
    fluss.ErrorCode.UNKNOWN_TABLE_OR_BUCKET_EXCEPTION,
    fluss.ErrorCode.LEADER_NOT_AVAILABLE_EXCEPTION,
}


def case(deadline_s=60):
    """Registers a coroutine `async def name(ctx)` as a case."""

    def register(function):
        _CASES.append((function.__name__, function, deadline_s))
        return function

    return register


def error_text(error):
    """How an exception stands in the transcript: the wire code and its name, or the Python class."""
    if isinstance(error, fluss.FlussError):
        return f"error {error.error_code} {_ERROR_NAMES.get(error.error_code, 'UNNAMED')}"
    return f"error {type(error).__name__}"


def diagnose(what, error):
    """The message goes to stderr, without the stack trace that a Java server puts behind it."""
    print(f"    {what}: {(str(error).splitlines() or [''])[0][:200]}", file=sys.stderr)


class Context:
    """What a case works with. Lives for one case; `close` drops its database."""

    def __init__(self, bootstrap, database):
        self.bootstrap = bootstrap
        self.database = database
        self.connection = None
        self.admin = None
        self._extra_connections = []

    def say(self, text):
        """Prints one result line; the database's generated name is replaced."""
        print("  " + str(text).replace(self.database, "DB"), flush=True)

    async def attempt(self, what, awaitable):
        """Awaits, prints `what: ok` or `what: error …`, and returns the result or None."""
        try:
            result = await awaitable
        except Exception as error:  # the transcript shows whatever the client raises
            self.say(f"{what}: {error_text(error)}")
            diagnose(what, error)
            return None
        self.say(f"{what}: ok")
        return result

    def attempt_call(self, what, function, *args, **kwargs):
        """The same for a plain call."""
        try:
            result = function(*args, **kwargs)
        except Exception as error:
            self.say(f"{what}: {error_text(error)}")
            diagnose(what, error)
            return None
        self.say(f"{what}: ok")
        return result

    async def connect(self, **settings):
        """A further connection; `settings` are attributes of fluss.Config."""
        config = fluss.Config({"bootstrap.servers": self.bootstrap})
        for key, value in settings.items():
            setattr(config, key, value)
        connection = await fluss.FlussConnection.create(config)
        self._extra_connections.append(connection)
        return connection

    async def open(self):
        self.connection = await fluss.FlussConnection.create(
            fluss.Config({"bootstrap.servers": self.bootstrap})
        )
        self.admin = self.connection.get_admin()
        await self.admin.create_database(self.database)

    async def close(self):
        for connection in self._extra_connections:
            await connection.close()
        if self.admin is not None:
            await self.admin.drop_database(self.database, ignore_if_not_exists=True)
        if self.connection is not None:
            await self.connection.close()

    def path(self, table):
        return fluss.TablePath(self.database, table)

    async def create(self, name, schema, **options):
        """Creates a table from an Arrow schema (or a list of its fields) and opens it."""
        if not isinstance(schema, pa.Schema):
            schema = pa.schema(schema)
        descriptor = fluss.TableDescriptor(fluss.Schema(schema), **options)
        await self.admin.create_table(self.path(name), descriptor)
        if not options.get("partition_keys"):
            await self.until_ready(self.path(name), options.get("bucket_count") or 1)
        return await self.connection.get_table(self.path(name))

    async def create_partition(self, path, spec, buckets=1):
        """Creates a partition and waits until its buckets are served."""
        await self.admin.create_partition(path, spec)
        await self.until_ready(path, buckets, "$".join(spec.values()))

    async def until_ready(self, path, buckets, partition=None):
        """A server may answer a creation before it serves the buckets: asks until it does."""
        ids, latest = list(range(buckets)), fluss.OffsetSpec.latest()
        while True:
            try:
                if partition is None:
                    return await self.admin.list_offsets(path, ids, latest)
                return await self.admin.list_partition_offsets(path, partition, ids, latest)
            except fluss.FlussError as error:
                if "No leader found" not in str(error) and error.error_code not in _NOT_READY:
                    raise
                await asyncio.sleep(0.02)

    async def latest(self, table, buckets=1):
        """The end offset of each bucket, in order."""
        offsets = await self.admin.list_offsets(
            table.get_table_path(), list(range(buckets)), fluss.OffsetSpec.latest()
        )
        return [offsets[b] for b in range(buckets)]

    async def read(self, table, count, offsets=None, configure=lambda scan: scan):
        """Polls until `count` records are there; returns (bucket, ScanRecord), by bucket and offset."""
        scanner = await configure(table.new_scan()).create_log_scanner()
        scanner.subscribe_buckets(offsets if offsets is not None else {0: fluss.EARLIEST_OFFSET})
        return await self.drain(scanner, count)

    async def drain(self, scanner, count):
        found = []
        while len(found) < count:
            records = await scanner.poll(200)
            for bucket in records.buckets():
                found += [(bucket.bucket_id, record) for record in records.records(bucket)]
        return sorted(found, key=lambda item: (item[0], item[1].offset))


def _give_up(name, deadline_s):
    """Ends a case that blocks the event loop inside the client, which no cancellation reaches."""
    print("  error DEADLINE (blocked)", flush=True)
    print(f"compat: case {name} blocked for {deadline_s} s; the suite ends here", file=sys.stderr)
    os._exit(1)


async def _run_case(name, function, deadline_s, bootstrap, database):
    print(f"case {name}", flush=True)
    watchdog = threading.Timer(deadline_s + 15, _give_up, (name, deadline_s + 15))
    watchdog.daemon = True
    watchdog.start()
    context = Context(bootstrap, database)
    started = time.monotonic()
    try:
        await context.open()
        await asyncio.wait_for(function(context), deadline_s)
    except asyncio.TimeoutError:
        context.say("error DEADLINE")
    except Exception as error:
        context.say(error_text(error))
        traceback.print_exc(file=sys.stderr)
    try:
        await asyncio.wait_for(context.close(), 10)
    except Exception as error:
        print(f"compat: cleaning up after {name}: {error!r}", file=sys.stderr)
    watchdog.cancel()
    print(f"{name}: {time.monotonic() - started:.2f} s", file=sys.stderr)


def main(argv):
    bootstrap, prefix = argv[1], "".join(argv[2:3])
    selected = [c for c in _CASES if c[0].startswith(prefix)]
    database = f"compat_py_{os.getpid()}_{time.time_ns() // 1_000_000}"
    for number, (name, function, deadline_s) in enumerate(selected):
        asyncio.run(_run_case(name, function, deadline_s, bootstrap, f"{database}_{number}"))
    print(f"cases {len(selected)}", flush=True)
    # The client's threads may still be busy with a case that missed its deadline; nothing of it matters now.
    sys.stdout.flush()
    os._exit(0)
