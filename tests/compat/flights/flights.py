"""The flights as a table: where the source is, the schema, and how the rows are laid out.

The table is partitioned by month and has four buckets by carrier. Each month is written in two parts, its first fifteen
days and the rest, each acknowledged before the next; a bucket therefore holds its rows in the order of `in_order`, and
commit times tell the parts apart.
"""

import argparse
import os
import subprocess
import sys
import threading
import time
import zipfile

import fluss
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

TABLE = "flights"
DEADLINE_S = 180
BUCKETS = 4
MONTHS = list(range(1, 13))
ROWS = 336_776
FIRST_PART_DAYS = 15

SCHEMA = pa.schema(
    [
        pa.field("year", pa.int32()),
        pa.field("month", pa.int32(), nullable=False),
        pa.field("day", pa.int32()),
        pa.field("dep_time", pa.int32()),
        pa.field("sched_dep_time", pa.int32()),
        pa.field("dep_delay", pa.float64()),
        pa.field("arr_time", pa.int32()),
        pa.field("sched_arr_time", pa.int32()),
        pa.field("arr_delay", pa.float64()),
        pa.field("carrier", pa.string(), nullable=False),
        pa.field("flight", pa.int32()),
        pa.field("tailnum", pa.string()),
        pa.field("origin", pa.string()),
        pa.field("dest", pa.string()),
        pa.field("air_time", pa.float64()),
        pa.field("distance", pa.float64()),
        pa.field("hour", pa.int32()),
        pa.field("minute", pa.int32()),
        pa.field("time_hour", pa.timestamp("ms", tz="UTC")),
    ]
)


def data_file():
    """The path of the compressed CSV file; downloads it first if need be."""
    here = os.path.dirname(os.path.abspath(__file__))
    return subprocess.run([os.path.join(here, "data")], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def source():
    """All rows of the CSV file, with SCHEMA's types; NA is null."""
    path = data_file()
    options = pyarrow.csv.ConvertOptions(
        column_types=SCHEMA, strings_can_be_null=True, null_values=["NA"], include_columns=SCHEMA.names
    )
    with zipfile.ZipFile(path) as archive, archive.open("flights.csv") as file:
        table = pyarrow.csv.read_csv(file, convert_options=options)
    if table.num_rows != ROWS:
        sys.exit(f"{path}: expected {ROWS} rows, found {table.num_rows}")
    return table.cast(SCHEMA).combine_chunks()


def parts(table, month):
    """The two parts of a month, in the order in which they are written."""
    rows = table.filter(pc.equal(table["month"], month))
    early = pc.less_equal(rows["day"], FIRST_PART_DAYS)
    return [rows.filter(early), rows.filter(pc.invert(early))]


def in_order(table, month):
    return pa.concat_tables(parts(table, month))


def descriptor():
    return fluss.TableDescriptor(
        fluss.Schema(SCHEMA),
        partition_keys=["month"],
        bucket_keys=["carrier"],
        bucket_count=BUCKETS,
        comment="flights that left New York City in 2013",
    )


async def connect(bootstrap):
    return await fluss.FlussConnection.create(fluss.Config({"bootstrap.servers": bootstrap}))


async def partition_ids(admin, path):
    """{month: partition id}"""
    return {int(info.partition_name): info.partition_id for info in await admin.list_partition_infos(path)}


def limit_time(seconds, what):
    """Ends the program if it takes longer: a client waits for its server without end."""

    def give_up():
        print(f"\n{what}: not finished after {seconds} s, giving up", file=sys.stderr, flush=True)
        os._exit(1)

    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.start()


def leave(good):
    """Ends the program at once: the client's threads can abort an interpreter that is being torn down."""
    sys.stdout.flush()
    os._exit(0 if good else 1)


class Progress:
    """One line on stderr that counts up; `done` ends it."""

    def __init__(self, what, total):
        self.what, self.total, self.count = what, total, 0
        self.started = time.monotonic()
        self.shown = 0.0

    def add(self, count):
        self.count += count
        now = time.monotonic()
        if sys.stderr.isatty() and now - self.shown > 0.1:
            self.shown = now
            print(f"\r{self.what}: {self.count:,} of {self.total:,} rows", end="", file=sys.stderr, flush=True)

    def done(self):
        seconds = time.monotonic() - self.started
        start = "\r" if sys.stderr.isatty() else ""
        print(f"{start}{self.what}: {self.count:,} of {self.total:,} rows in {seconds:.1f} s", file=sys.stderr)


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("bootstrap", metavar="HOST:PORT", help="address of the server")
    parser.add_argument("--database", default="nycflights", help="database of the table (default: %(default)s)")
    return parser
