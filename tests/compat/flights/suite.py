"""Loads the flights into a database of its own, verifies them and drops it. Usage: suite.py [--java] HOST:PORT

With --java the Java client writes and verifies the rows, and pyfluss reads what it wrote.
"""

import asyncio
import os
import subprocess
import sys
import time

import fluss

import flights
import load
import verify

DEADLINE_S = 300


async def load_with_python(bootstrap, database):
    print("case flights_load", flush=True)
    print(f"  rows written {await load.load(bootstrap, database)}", flush=True)
    return 1, True


def load_with_java(bootstrap, database):
    """Runs the Java program, which writes and verifies; passes its cases on."""
    here = os.path.dirname(os.path.abspath(__file__))
    command = [os.path.join(here, "java", "client"), bootstrap, database, flights.data_file()]
    cases = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            cases += line.startswith("case ")
            print(line, end="", flush=True)
    return cases, process.returncode == 0


async def describe(bootstrap, database):
    connection = await flights.connect(bootstrap)
    path = fluss.TablePath(database, flights.TABLE)
    info = await connection.get_admin().get_table_info(path)
    partitions = await flights.partition_ids(connection.get_admin(), path)
    print("case flights_table")
    print(f"  partitions {sorted(partitions)} by {info.get_partition_keys()}")
    print(f"  buckets {info.num_buckets} by {info.get_bucket_keys()}")
    print(f"  columns {info.get_schema().get_columns()}", flush=True)
    await connection.close()


async def drop(bootstrap, database):
    connection = await flights.connect(bootstrap)
    await connection.get_admin().drop_database(database, ignore_if_not_exists=True)
    await connection.close()


async def run(bootstrap, java):
    database = f"compat_flights_{os.getpid()}_{time.time_ns() // 1_000_000}"
    try:
        if java:
            loaded, well = load_with_java(bootstrap, database)
        else:
            loaded, well = await load_with_python(bootstrap, database)
        await describe(bootstrap, database)
        verified, equal = await verify.verify(bootstrap, database)
    finally:
        await drop(bootstrap, database)
    print(f"cases {loaded + 1 + verified}", flush=True)
    return well and equal


def main(arguments):
    java = arguments[:1] == ["--java"]
    if len(arguments) < 1 + java:
        sys.exit(__doc__)
    flights.limit_time(DEADLINE_S, "flights")
    flights.leave(asyncio.run(run(arguments[java], java)))


if __name__ == "__main__":
    main(sys.argv[1:])
