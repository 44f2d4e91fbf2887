"""Creates the table of flights and writes all rows with pyfluss, as Arrow batches."""

import asyncio
import sys
import time

import fluss

import flights

BATCH_ROWS = 16_384


async def loaded_rows(admin, path):
    """How many rows the table holds, or None if there is no table."""
    if not await admin.database_exists(path.database_name) or not await admin.table_exists(path):
        return None
    rows, latest = 0, fluss.OffsetSpec.latest()
    for info in await admin.list_partition_infos(path):
        ends = await admin.list_partition_offsets(path, info.partition_name, list(range(flights.BUCKETS)), latest)
        rows += sum(ends.values())
    return rows


async def create(admin, path):
    await admin.create_database(path.database_name, ignore_if_exists=True)
    await admin.create_table(path, flights.descriptor())
    for month in flights.MONTHS:
        await admin.create_partition(path, {"month": str(month)})


async def next_millisecond():
    """Commit times are milliseconds: the next part must not share the last one's."""
    now = time.time_ns() // 1_000_000
    while time.time_ns() // 1_000_000 <= now:
        await asyncio.sleep(0.0005)


async def write(table, source):
    writer = table.new_append().create_writer()
    progress = flights.Progress("writing", source.num_rows)
    for month in flights.MONTHS:
        for part in flights.parts(source, month):
            for batch in part.combine_chunks().to_batches(max_chunksize=BATCH_ROWS):
                writer.write_arrow_batch(batch)
            await writer.flush()
            await next_millisecond()
            progress.add(part.num_rows)
    progress.done()


async def load(bootstrap, database, replace=False):
    """Returns the number of rows written; 0 if they are all there already."""
    connection = await flights.connect(bootstrap)
    try:
        admin, path = connection.get_admin(), fluss.TablePath(database, flights.TABLE)
        there = await loaded_rows(admin, path)
        if there is not None and replace:
            await admin.drop_table(path)
        elif there == flights.ROWS:
            return 0
        elif there is not None:
            sys.exit(f"{path} exists with {there:,} of {flights.ROWS:,} rows; --replace drops it and starts again")
        source = flights.source()
        await create(admin, path)
        await write(await connection.get_table(path), source)
        return source.num_rows
    finally:
        await connection.close()


def main():
    parser = flights.arguments(__doc__)
    parser.add_argument("--replace", action="store_true", help="drop the table first if it exists")
    options = parser.parse_args()
    flights.limit_time(flights.DEADLINE_S, "load")
    rows = asyncio.run(load(options.bootstrap, options.database, options.replace))
    where = f"{options.database}.{flights.TABLE}"
    print(f"wrote {rows:,} flights into {where}" if rows else f"{where} already holds all {flights.ROWS:,} flights")
    flights.leave(True)


if __name__ == "__main__":
    main()
