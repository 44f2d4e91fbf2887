"""The protocol by hand: frames, just enough protobuf, INDEXED batches. Needs nothing but Python, and sends what no client would.

    client = Client(port)
    client.call(LIST_TABLES, text(1, "db"))  -> {field number: [values]}; raises ServerError
    client.send(...), client.receive()       requests in flight

Layouts: docs/formats and src/rpc/proto. A value of a message is an int (varint) or bytes (everything else).
"""
import json
import socket
import struct
import time

API_VERSIONS, CREATE_DATABASE, LIST_DATABASES, CREATE_TABLE, DROP_TABLE, GET_TABLE_INFO = 1000, 1001, 1003, 1005, 1006, 1007
LIST_TABLES, LIST_PARTITION_INFOS, GET_TABLE_SCHEMA, GET_METADATA, PRODUCE_LOG = 1008, 1009, 1011, 1012, 1014
FETCH_LOG, LIST_OFFSETS, INIT_WRITER, CREATE_PARTITION, ALTER_TABLE = 1015, 1021, 1026, 1036, 1044

SUCCESS, ERROR, FAILURE = 0, 1, 2
UNSUPPORTED_VERSION, INVALID_TABLE = 2, 15
EARLIEST, LATEST = 0, 1


class ServerError(Exception):
    def __init__(self, code, message):
        super().__init__(f"error {code}: {message}")
        self.code, self.message = code, message


# --- messages

def varint(value):
    value &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(int(value))


def blob(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


def text(field, value):
    return blob(field, value.encode())


def packed(field, values):
    return blob(field, b"".join(varint(value) for value in values))


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return (value - (1 << 64) if value >> 63 else value), at


def parse(data):
    fields, at = {}, 0
    while at < len(data):
        tag, at = read_varint(data, at)
        if tag & 7 == 0:
            value, at = read_varint(data, at)
        elif tag & 7 == 2:
            size, at = read_varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            raise ValueError(f"wire type {tag & 7} of field {tag >> 3}")
        fields.setdefault(tag >> 3, []).append(value)
    return fields


def one(fields, field, otherwise=None):
    return fields[field][0] if field in fields else otherwise


def path(table):
    database, name = table.split(".")
    return text(1, database) + text(2, name)


# --- batches

def crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


CRC_TABLE = crc_table()


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = CRC_TABLE[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 0xFFFFFFFF


def indexed_row(a, b):
    """A row of (a INT, b STRING); b may be None."""
    body = struct.pack("<BIi", 0 if b is not None else 2, len(b or ""), a) + (b or "").encode()
    return struct.pack("<iB", len(body) + 1, 0) + body


def indexed_batch(rows, writer=-1, sequence=-1, schema=1):
    """Magic 0, append only."""
    checked = struct.pack("<hBiqii", schema, 1, len(rows) - 1, writer, sequence, len(rows))
    checked += b"".join(indexed_row(*row) for row in rows)
    return struct.pack("<qiBqI", 0, len(checked) + 13, 0, 0, crc32c(checked)) + checked


class Batch:
    """One batch of a log; `checked` is all that its CRC covers: everything that the writer has sent."""

    def __init__(self, data):
        self.base, length, self.magic, self.timestamp, self.crc = struct.unpack_from("<qiBqI", data)
        _, _, delta, self.writer, self.sequence, self.count = struct.unpack_from("<hBiqii", data, 25)
        self.next = self.base + delta + 1
        self.checked = bytes(data[25:12 + length])


def batches_of(data):
    """A fetch may end with a part of a batch, which is not returned."""
    found, at = [], 0
    while at + 12 <= len(data):
        size = 12 + struct.unpack_from("<i", data, at + 8)[0]
        if at + size > len(data):
            break
        found.append(Batch(data[at:at + size]))
        at += size
    return found


# --- connections

def frame(key, request_id, body=b"", version=0):
    return struct.pack(">ihhi", 8 + len(body), key, version, request_id) + body


class Client:
    def __init__(self, port, timeout=10):
        self.socket = socket.create_connection(("localhost", port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.next_id = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, key, body=b"", version=0):
        self.next_id += 1
        self.socket.sendall(frame(key, self.next_id, body, version))
        return self.next_id

    def receive(self):
        """(type, request id, body); the id is None for type FAILURE. ConnectionError when the server closes."""
        data = self._read(struct.unpack(">i", self._read(4))[0])
        if data[0] == FAILURE:
            return FAILURE, None, data[1:]
        return data[0], struct.unpack_from(">i", data, 1)[0], data[5:]

    def _read(self, size):
        data = bytearray()
        while len(data) < size:
            part = self.socket.recv(min(size - len(data), 1 << 20))
            if not part:
                raise ConnectionError("the server closed the connection")
            data += part
        return bytes(data)

    def call(self, key, body=b"", version=0):
        self.send(key, body, version)
        return answer(self.receive())

    # --- what the cases ask for

    def create_database(self, name):
        self.call(CREATE_DATABASE, text(1, name) + number(2, True))

    def create_table(self, table, buckets=1, partition_keys=(), primary_key=(), properties=None):
        columns = [{"name": "a", "data_type": {"type": "INTEGER"}, "id": 0},
                   {"name": "b", "data_type": {"type": "STRING"}, "id": 1}]
        schema = {"version": 1, "columns": columns, "highest_field_id": 1}
        if primary_key:
            schema["primary_key"] = list(primary_key)
        document = {"version": 1, "schema": schema, "partition_key": list(partition_keys), "bucket_key": [],
                    "bucket_count": buckets,
                    "properties": {"table.log.format": "INDEXED", "table.replication.factor": "1", **(properties or {})},
                    "custom_properties": {}}
        self.call(CREATE_TABLE, blob(1, path(table)) + blob(2, json.dumps(document).encode()) + number(3, False))

    def add_column(self, table, name):
        column = text(1, name) + blob(2, b'{"type":"BIGINT"}') + number(4, 0)
        self.call(ALTER_TABLE, blob(1, path(table)) + number(2, False) + blob(4, column))

    def create_partition(self, table, key, value):
        spec = blob(1, text(1, key) + text(2, value))
        self.call(CREATE_PARTITION, blob(1, path(table)) + blob(2, spec) + number(3, False))

    def partitions(self, table):
        """{value of the (only) key: id}"""
        infos = self.call(LIST_PARTITION_INFOS, blob(1, path(table))).get(1, [])
        found = {}
        for info in map(parse, infos):
            spec = parse(one(parse(one(info, 2)), 1))
            found[one(spec, 2).decode()] = one(info, 1)
        return found

    def databases(self):
        return [name.decode() for name in self.call(LIST_DATABASES).get(1, [])]

    def tables(self, database):
        return [name.decode() for name in self.call(LIST_TABLES, text(1, database)).get(1, [])]

    def table_id(self, table):
        return one(self.call(GET_TABLE_INFO, blob(1, path(table))), 1)

    def columns(self, table):
        schema = self.call(GET_TABLE_SCHEMA, blob(1, path(table)))
        return one(schema, 1), [column["name"] for column in json.loads(one(schema, 2))["columns"]]

    def init_writer(self, table):
        return one(self.call(INIT_WRITER, blob(1, path(table))), 1)

    def offset(self, table_id, which, bucket=0, partition=None):
        body = number(1, -1) + number(2, which) + number(3, table_id) + packed(5, [bucket])
        if partition is not None:
            body += number(4, partition)
        return one(bucket_answer(one(self.call(LIST_OFFSETS, body), 1)), 4)

    def wait_until_served(self, table_id, bucket=0, partition=None, limit_s=20):
        """A bucket is served soon after the answer to the request that created it."""
        end = time.monotonic() + limit_s
        while True:
            try:
                return self.offset(table_id, LATEST, bucket, partition)
            except ServerError:
                if time.monotonic() > end:
                    raise
            time.sleep(0.01)

    def produce(self, table_id, records, bucket=0, partition=None):
        """The base offset."""
        return base_offset(self.call(PRODUCE_LOG, produce_body(table_id, records, bucket, partition)))

    def read(self, table_id, bucket=0, partition=None):
        """All batches, in as many fetches as it takes."""
        found, at = [], self.offset(table_id, EARLIEST, bucket, partition)
        while at < (end := self.offset(table_id, LATEST, bucket, partition)):
            got = batches_of(self.fetch(table_id, at, bucket, partition))
            if not got:
                raise AssertionError(f"nothing to read at {at} of bucket {bucket}, which ends at {end}")
            found += got
            at = got[-1].next
        return found

    def fetch(self, table_id, offset, bucket=0, partition=None, max_bytes=1 << 20):
        body = number(2, bucket) + number(3, offset) + number(4, max_bytes)
        if partition is not None:
            body = number(1, partition) + body
        table = number(1, table_id) + number(2, False) + blob(4, body)
        response = self.call(FETCH_LOG, number(1, -1) + number(2, max_bytes) + blob(3, table) + number(4, 0))
        return one(bucket_answer(one(parse(one(response, 1)), 2), error=3), 8, b"")


def answer(received):
    kind, _, body = received
    if kind != SUCCESS:
        error = parse(body)
        raise ServerError(one(error, 1), one(error, 2, b"").decode())
    return parse(body)


def bucket_answer(data, error=2):
    """Of one bucket; the field after `error` is the message."""
    fields = parse(data)
    if error in fields:
        raise ServerError(one(fields, error), one(fields, error + 1, b"").decode())
    return fields


def produce_body(table_id, records, bucket=0, partition=None, acks=-1):
    body = number(2, bucket) + blob(3, records)
    if partition is not None:
        body = number(1, partition) + body
    return number(1, acks) + number(2, table_id) + number(3, 10_000) + blob(4, body)


def base_offset(response):
    return one(bucket_answer(one(response, 1), error=3), 5)
