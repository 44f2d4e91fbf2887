"""Reads the flights back, whole, by projection, by commit time and by limit, and compares every value with the source."""

import asyncio
import sys

import fluss
import pyarrow as pa
import pyarrow.compute as pc

import flights

PROJECTION = ["time_hour", "carrier", "arr_delay", "tailnum"]
SINCE_MONTH = 7
LIMIT = 10


class Flights:
    """The table on the server, beside the rows of the source in the order in which each bucket must hold them."""

    def __init__(self, connection, path, table, partitions, source):
        self.admin, self.path, self.table, self.partitions = connection.get_admin(), path, table, partitions
        self.expected = {month: flights.in_order(source, month) for month in flights.MONTHS}
        self.carriers = {}  # bucket -> its carriers, as found by the first whole read

    async def offsets(self, month, spec):
        return await self.admin.list_partition_offsets(self.path, str(month), list(range(flights.BUCKETS)), spec)

    async def read(self, what, columns, starts, ends):
        """The rows of each (month, bucket) between the offsets, as {(month, bucket): Arrow table}."""
        scan = self.table.new_scan().project_by_name(columns)
        scanner = await scan.create_record_batch_log_scanner()
        open_ends = {key: end for key, end in ends.items() if starts[key] < end}
        scanner.subscribe_partition_buckets({(self.partitions[m], b): starts[m, b] for m, b in open_ends})
        months = {partition: month for month, partition in self.partitions.items()}
        schema = pa.schema([flights.SCHEMA.field(name) for name in columns])
        found = {key: [] for key in ends}
        position = dict(starts)
        progress = flights.Progress(what, sum(open_ends[key] - starts[key] for key in open_ends))
        while any(position[key] < end for key, end in open_ends.items()):
            for batch in await scanner.poll_record_batch(200):
                key = months[batch.bucket.partition_id], batch.bucket.bucket_id
                if batch.base_offset != position[key]:
                    sys.exit(f"bucket {key}: expected offset {position[key]}, found {batch.base_offset}")
                position[key] = batch.last_offset + 1
                found[key].append(batch.batch.select(columns))
                progress.add(batch.batch.num_rows)
        progress.done()
        return {key: pa.Table.from_batches(batches, schema) for key, batches in found.items()}

    def belongs(self, month, bucket, columns, keep=None):
        """What the source has for a bucket: its carriers' rows of the month, in order."""
        rows = self.expected[month]
        mask = pc.is_in(rows["carrier"], pa.array(sorted(self.carriers[bucket]), pa.string()))
        if keep is not None:
            mask = pc.and_(mask, keep(rows))
        return rows.filter(mask).select(columns)

    def differing(self, found, columns, keep=None):
        """The buckets whose rows are not equal to the source."""
        return [key for key, rows in found.items() if not same(rows, self.belongs(*key, columns, keep))]


def same(left, right):
    """Equal in every value, nulls included, whatever the chunks."""
    return left.combine_chunks().equals(right.cast(left.schema).combine_chunks())


def buckets():
    return [(month, bucket) for month in flights.MONTHS for bucket in range(flights.BUCKETS)]


async def end_offsets(data):
    ends = {}
    for month in flights.MONTHS:
        for bucket, end in (await data.offsets(month, fluss.OffsetSpec.latest())).items():
            ends[month, bucket] = end
    return ends


async def whole(data, say):
    """Every row and value; also learns which carriers are in which bucket."""
    ends = await end_offsets(data)
    found = await data.read("reading", flights.SCHEMA.names, {key: 0 for key in ends}, ends)
    for bucket in range(flights.BUCKETS):
        rows = pa.concat_tables([found[month, bucket] for month in flights.MONTHS])
        data.carriers[bucket] = set(rows["carrier"].to_pylist())
        say(f"bucket {bucket}: {', '.join(sorted(data.carriers[bucket]))}: {rows.num_rows} rows")
    placed = [carrier for carriers in data.carriers.values() for carrier in carriers]
    say(f"carriers {len(placed)}, each in one bucket: {len(placed) == len(set(placed))}")
    everything = pa.concat_tables(found.values())
    nulls = {name: everything[name].null_count for name in everything.column_names}
    say(f"nulls {', '.join(f'{name} {count}' for name, count in nulls.items() if count)}")
    say(f"rows {everything.num_rows}")
    return report(say, data.differing(found, flights.SCHEMA.names), everything.num_rows == flights.ROWS)


async def projection(data, say):
    ends = await end_offsets(data)
    found = await data.read("reading four columns", PROJECTION, {key: 0 for key in ends}, ends)
    say(f"columns {', '.join(PROJECTION)}")
    rows = sum(table.num_rows for table in found.values())
    say(f"rows {rows}")
    return report(say, data.differing(found, PROJECTION), rows == flights.ROWS)


async def commit_times(data, month):
    """The commit time of each row of a month with its day: [(day, milliseconds)]"""
    scanner = await data.table.new_scan().project_by_name(["day"]).create_log_scanner()
    scanner.subscribe_partition_buckets({(data.partitions[month], b): 0 for b in range(flights.BUCKETS)})
    wanted, times = data.expected[month].num_rows, []
    while len(times) < wanted:
        times += [(record.row["day"], record.timestamp) for record in await scanner.poll(200)]
    return times


async def since(data, what, moment):
    """Reads everything committed at or after a moment."""
    starts = {}
    for month in flights.MONTHS:
        for bucket, start in (await data.offsets(month, fluss.OffsetSpec.timestamp(moment))).items():
            starts[month, bucket] = start
    return await data.read(what, flights.SCHEMA.names, starts, await end_offsets(data))


async def by_commit_time(data, say):
    """Everything since a month was written, and since the second part of that month."""
    times = await commit_times(data, SINCE_MONTH)
    first = min(moment for _, moment in times)
    second = min(moment for day, moment in times if day > flights.FIRST_PART_DAYS)

    def later_months(rows):
        return pc.greater_equal(rows["month"], SINCE_MONTH)

    def later_days(rows):
        late = pc.greater(rows["day"], flights.FIRST_PART_DAYS)
        return pc.or_(pc.greater(rows["month"], SINCE_MONTH), pc.and_(pc.equal(rows["month"], SINCE_MONTH), late))

    equal = True
    for what, moment, keep in (
        (f"since month {SINCE_MONTH}", first, later_months),
        (f"since day {flights.FIRST_PART_DAYS + 1} of month {SINCE_MONTH}", second, later_days),
    ):
        found = await since(data, f"reading {what}", moment)
        say(f"{what}: rows {sum(table.num_rows for table in found.values())}")
        equal = report(say, data.differing(found, flights.SCHEMA.names, keep)) and equal
    return equal


async def by_limit(data, say):
    """The last rows of each bucket."""
    table_id, wrong, rows = data.table.get_table_info().table_id, [], 0
    for month, bucket in buckets():
        where = fluss.TableBucket.with_partition(table_id, data.partitions[month], bucket)
        found = await data.table.new_scan().limit(LIMIT).create_bucket_batch_scanner(where).to_arrow()
        expected = data.belongs(month, bucket, flights.SCHEMA.names)
        expected = expected.slice(max(0, expected.num_rows - LIMIT))
        rows += found.num_rows
        if not same(found.select(flights.SCHEMA.names).cast(flights.SCHEMA), expected):
            wrong.append((month, bucket))
    say(f"the last {LIMIT} of each bucket: rows {rows}")
    return report(say, wrong)


def report(say, wrong, complete=True):
    say(f"every value equal to the source: {complete and not wrong}")
    for month, bucket in wrong[:5]:
        say(f"not equal: month {month}, bucket {bucket}")
    return complete and not wrong


CASES = {
    "flights_whole": whole,
    "flights_projection": projection,
    "flights_by_commit_time": by_commit_time,
    "flights_by_limit": by_limit,
}


async def verify(bootstrap, database, prefix=""):
    """Prints a case for each way of reading; returns (cases, whether all were equal)."""
    connection = await flights.connect(bootstrap)
    try:
        path = fluss.TablePath(database, flights.TABLE)
        table = await connection.get_table(path)
        partitions = await flights.partition_ids(connection.get_admin(), path)
        data = Flights(connection, path, table, partitions, flights.source())
        good = True
        for name, function in CASES.items():
            print(f"case {prefix}{name}", flush=True)
            good = await function(data, lambda text: print(f"  {text}", flush=True)) and good
        return len(CASES), good
    finally:
        await connection.close()


def main():
    options = flights.arguments(__doc__).parse_args()
    flights.limit_time(flights.DEADLINE_S, "verify")
    cases, good = asyncio.run(verify(options.bootstrap, options.database))
    print(f"cases {cases}")
    flights.leave(good)


if __name__ == "__main__":
    main()
