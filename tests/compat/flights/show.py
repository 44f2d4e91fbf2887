"""Shows some of the flights on the server: ten rows, and what the carriers' delays are."""

import asyncio

import fluss

import flights

COLUMNS = ["time_hour", "carrier", "flight", "origin", "dest", "dep_delay", "arr_delay", "tailnum"]
SHOWN_MONTH = 12
ROWS = 10
CARRIERS = 5


def cell(value):
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:g}"
    return value.strftime("%Y-%m-%d %H:%M") if hasattr(value, "strftime") else str(value)


def print_table(names, rows):
    lines = [names, *([cell(value) for value in row] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(names))]
    for line in lines:
        print("  " + "  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())


async def last_rows(table, partitions):
    """The last rows of one bucket, read with a limit."""
    bucket = fluss.TableBucket.with_partition(table.get_table_info().table_id, partitions[SHOWN_MONTH], 0)
    scan = table.new_scan().project_by_name(COLUMNS).limit(ROWS)
    return await scan.create_bucket_batch_scanner(bucket).to_arrow()


async def delays(table, partitions):
    """Two columns of all flights, summed up by carrier."""
    scanner = await table.new_scan().project_by_name(["carrier", "arr_delay"]).create_record_batch_log_scanner()
    scanner.subscribe_partition_buckets(
        {(partition, b): fluss.EARLIEST_OFFSET for partition in partitions.values() for b in range(flights.BUCKETS)}
    )
    everything = await scanner.to_arrow()
    summed = everything.group_by("carrier").aggregate([("carrier", "count"), ("arr_delay", "mean")])
    return everything.num_rows, summed.sort_by([("carrier_count", "descending")])


async def show(bootstrap, database):
    connection = await flights.connect(bootstrap)
    try:
        path = fluss.TablePath(database, flights.TABLE)
        table = await connection.get_table(path)
        partitions = await flights.partition_ids(connection.get_admin(), path)
        print(
            f"{path.table_path_str()}: {len(partitions)} partitions (months), {flights.BUCKETS} buckets by carrier each"
        )
        rows = await last_rows(table, partitions)
        print(f"the last {rows.num_rows} rows of bucket 0 in month {SHOWN_MONTH}:")
        print_table(COLUMNS, zip(*(rows[name].to_pylist() for name in COLUMNS)))
        count, summed = await delays(table, partitions)
        print(f"{count:,} flights by {summed.num_rows} carriers; the {CARRIERS} with the most:")
        top = summed.slice(0, CARRIERS)
        means = [f"{mean:+.1f}" for mean in top["arr_delay_mean"].to_pylist()]
        print_table(
            ["carrier", "flights", "mean arrival delay (min)"],
            zip(top["carrier"].to_pylist(), (f"{n:,}" for n in top["carrier_count"].to_pylist()), means),
        )
    finally:
        await connection.close()


def main():
    options = flights.arguments(__doc__).parse_args()
    flights.limit_time(flights.DEADLINE_S, "show")
    asyncio.run(show(options.bootstrap, options.database))
    flights.leave(True)


if __name__ == "__main__":
    main()
