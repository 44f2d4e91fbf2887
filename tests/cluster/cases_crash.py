"""kill -9 at random moments: what was acknowledged is there, once and in order (INV-1, INV-5)."""
import os
import random
import select
import time

import wire
from harness import case
from server import Server

ROUNDS = int(os.environ.get("STROM_CRASH_ROUNDS", "20"))
SEED = int(os.environ.get("STROM_CRASH_SEED", "0")) or random.SystemRandom().randrange(1, 1 << 31)
BUCKETS, IN_FLIGHT = 4, 5
OUT_OF_ORDER_SEQUENCE = 31
# Small segments and frequent checkpoints put more moments of writing files into a round.
OPTIONS = {"log.segment.file-size": "16kb", "log.index.interval-size": "256b",
           "log.flush.offset.checkpoint-interval": "100 ms", "log.replica.high-watermark.checkpoint-interval": "50 ms"}


class Bucket:
    """What one idempotent writer has sent to one bucket: sequence = place in `sent`, all sequences are appended in order."""

    def __init__(self, number):
        self.number = number
        self.sent, self.starts = [], [0]  # records, and the offset that each batch must get
        self.acknowledged = set()         # their sequences
        self.logged = 0                   # the first so many were in the log at the last look

    def new_batch(self, chance, writer):
        rows = [(chance.randrange(1 << 30), chance.choice([None, "x" * chance.randrange(200)]))
                for _ in range(chance.choice([1, 1, 2, 10]))]
        self.sent.append(wire.indexed_batch(rows, writer, len(self.sent)))
        self.starts.append(self.starts[-1] + len(rows))

    def look(self, client, table):
        """Compares the log with what was sent."""
        client.wait_until_served(table, self.number)
        batches = client.read(table, self.number)
        assert all(place < len(batches) for place in self.acknowledged), \
            f"bucket {self.number}: batch {max(self.acknowledged)} was acknowledged, {len(batches)} are there"
        for place, batch in enumerate(batches):
            assert place < len(self.sent) and batch.checked == self.sent[place][25:] and batch.base == self.starts[place], \
                f"bucket {self.number}: batch {place} has sequence {batch.sequence} and offset {batch.base}"
        self.logged = len(batches)

    def take_answer(self, place, received):
        try:
            offset = wire.base_offset(wire.answer(received))
        except wire.ServerError as error:
            # Sent again after a restart, which leaves a writer's last batch in memory only: older ones are refused.
            assert error.code == OUT_OF_ORDER_SEQUENCE and place < self.logged - 1, \
                f"bucket {self.number}: batch {place} of {self.logged} in the log: {error}"
            offset = self.starts[place]
        assert offset == self.starts[place], \
            f"bucket {self.number}: batch {place} has offset {offset}, expected {self.starts[place]}"
        self.acknowledged.add(place)

    def unanswered(self):
        return [place for place in range(len(self.sent)) if place not in self.acknowledged]


class Load:
    """Sends to all buckets, a few batches each in flight; first what had no answer before the crash."""

    def __init__(self, client, table, writer, buckets, chance):
        self.client, self.table, self.writer, self.buckets, self.chance = client, table, writer, buckets, chance
        self.waiting = {}  # request id -> (bucket, place)
        self.again = {bucket: bucket.unanswered() for bucket in buckets}

    def send(self, bucket):
        again = self.again[bucket]
        if not again:
            bucket.new_batch(self.chance, self.writer)
        place = again.pop(0) if again else len(bucket.sent) - 1
        body = wire.produce_body(self.table, bucket.sent[place], bucket.number)
        self.waiting[self.client.send(wire.PRODUCE_LOG, body)] = (bucket, place)

    def receive(self):
        received = self.client.receive()
        bucket, place = self.waiting.pop(received[1])
        bucket.take_answer(place, received)
        return bucket

    def run(self, answers):
        for bucket in self.buckets:
            for _ in range(IN_FLIGHT):
                self.send(bucket)
        for _ in range(answers):
            self.send(self.receive())

    def run_into(self, server):
        """Kills the server while requests are in flight, and takes the answers that were on their way."""
        end = time.monotonic() + self.chance.choice([0, 0, self.chance.random() * 0.01])
        while (left := end - time.monotonic()) > 0 and select.select([self.client.socket], [], [], left)[0]:
            self.send(self.receive())
        server.kill()
        try:
            while True:
                self.receive()
        except OSError:
            pass


@case(limit_s=60 + 15 * ROUNDS)
def appends(directory):
    """One writer over all crashes; what it had no answer for it sends again: in the end each batch is there once."""
    print(f"     STROM_CRASH_SEED={SEED} STROM_CRASH_ROUNDS={ROUNDS}", flush=True)
    chance = random.Random(SEED)
    buckets = [Bucket(number) for number in range(BUCKETS)]
    with Server(directory).with_options(OPTIONS) as server:
        server.start()
        with server.client() as client:
            client.create_database("db")
            client.create_table("db.t", buckets=BUCKETS)
            table, writer = client.table_id("db.t"), client.init_writer("db.t")
            for bucket in buckets:
                client.wait_until_served(table, bucket.number)
        for round_number in range(ROUNDS):
            with server.client(timeout=30) as client:
                load = Load(client, table, writer, buckets, chance)
                try:
                    load.run(chance.choice([0, chance.randrange(50), chance.randrange(600)]))
                    load.run_into(server)
                except Exception as failure:
                    raise AssertionError(f"round {round_number}:\n{server.tail()}") from failure
            server.start()
            with server.client(timeout=30) as client:
                for bucket in buckets:
                    bucket.look(client, table)
        server.stop()
        server.start()
        with server.client(timeout=30) as client:
            for bucket in buckets:
                bucket.look(client, table)
        server.stop()


class Model:
    """All that the server has acknowledged."""

    def __init__(self, chance):
        self.chance = chance
        self.databases = {}  # name -> {name of a table -> its Table}
        self.writer, self.count = -1, 0

    def tables(self):
        return {f"{database}.{name}": table for database, tables in sorted(self.databases.items())
                for name, table in sorted(tables.items())}

    def change(self, client):
        """A random change: what sends it. Nothing is noted here: see look()."""
        self.count += 1
        kinds = ["database", "table", "column", "partition", "writer"]
        kind = self.chance.choice(kinds if self.tables() else kinds[:2] if self.databases else kinds[:1])
        if kind == "database":
            return lambda: client.create_database(f"db{self.count}")
        if kind == "table":
            table = f"{self.chance.choice(sorted(self.databases))}.t{self.count}"
            return lambda: client.create_table(table, partition_keys=["b"])
        table = self.chance.choice(list(self.tables()))
        if kind == "column":
            return lambda: client.add_column(table, f"c{self.count}")
        if kind == "partition":
            return lambda: client.create_partition(table, "b", f"v{self.count}")
        return lambda: self.new_writer(client, table)

    def new_writer(self, client, table):
        writer = client.init_writer(table)
        assert writer > self.writer, f"writer id {writer} after {self.writer}"
        self.writer = writer

    def look(self, client, at_most):
        """Compares with what is there, which has at most so many things more, and takes it over."""
        found = {database: {name: Table(client, f"{database}.{name}") for name in client.tables(database)}
                 for database in client.databases() if database.startswith("db")}
        before, now = things(self.databases), things(found)
        assert before <= now, f"lost: {before - now}"
        assert len(now - before) <= at_most, f"not asked for: {now - before}"
        self.databases = found


class Table:
    def __init__(self, client, name):
        self.id = client.table_id(name)
        self.schema, self.columns = client.columns(name)
        self.partitions = client.partitions(name)
        assert self.schema == len(self.columns) - 1, f"{name}: schema {self.schema} of {self.columns}"


def things(databases):
    """Each database, table, column and partition, with its id or place."""
    found = {(database,) for database in databases}
    for database, tables in databases.items():
        for name, table in tables.items():
            found.add((database, name, table.id))
            found |= {(database, name, table.id, "column", *column) for column in enumerate(table.columns[2:])}
            found |= {(database, name, table.id, "partition", *partition) for partition in table.partitions.items()}
    return found


@case(limit_s=60 + 10 * ROUNDS)
def metadata(directory):
    """Databases, tables, schemas, partitions and writer ids: what was acknowledged is there, and whole; no id comes twice."""
    print(f"     STROM_CRASH_SEED={SEED} STROM_CRASH_ROUNDS={ROUNDS}", flush=True)
    model = Model(random.Random(SEED))
    with Server(directory).with_options(OPTIONS) as server:
        server.start()
        for _ in range(max(1, ROUNDS // 2)):
            with server.client(timeout=30) as client:
                for _ in range(model.chance.randrange(12)):
                    model.change(client)()
                    model.look(client, at_most=1)
                kill_during(model.change(client), client, server, model.chance)
            server.start()
            with server.client(timeout=30) as client:
                model.look(client, at_most=1)
                for name, table in model.tables().items():
                    for partition in table.partitions.values():
                        client.wait_until_served(table.id, partition=partition)
                    model.new_writer(client, name)
        server.stop()


class NotAwaited(Exception):
    pass


def kill_during(change, client, server, chance):
    """The request is sent, its answer is not waited for."""
    def leave():
        raise NotAwaited
    client.receive = leave
    try:
        change()
    except NotAwaited:
        pass
    time.sleep(chance.choice([0, chance.random() * 0.02]))
    server.kill()
