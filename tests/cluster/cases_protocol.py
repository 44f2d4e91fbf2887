"""Requests that no client sends: keys, versions and lengths that are wrong. The connection or the request ends, the server doesn't."""
import pathlib
import struct

import wire
from harness import case, expect
from server import ROOT, Server

GOLDEN = ROOT / "tests/golden/log_batch"
NO_SUCH_KEY = 4711
AUTHENTICATE, AUTHENTICATION_FAILED = 1038, 46


def golden(name):
    return bytes.fromhex((GOLDEN / f"{name}.hex").read_text())


def error_of(call):
    try:
        call()
    except wire.ServerError as error:
        return error
    raise AssertionError("no error")


@case()
def batches_are_those_of_java(directory):
    """The writer of these tests writes what the Java client writes, byte by byte."""
    del directory
    made = wire.indexed_batch([(1, "a"), (2, None)], writer=77, sequence=3)
    assert made == golden("indexed"), made.hex()


@case()
def versions(directory):
    """One process plays both roles: all keys in one list, and no server type."""
    with Server(directory) as server:
        server.start()
        with server.client() as client:
            answer = client.call(wire.API_VERSIONS, wire.text(1, "test") + wire.text(2, "1"))
            keys = {wire.one(row, 1): (wire.one(row, 2), wire.one(row, 3)) for row in map(wire.parse, answer[1])}
            for key in (wire.API_VERSIONS, wire.CREATE_TABLE, wire.PRODUCE_LOG, wire.FETCH_LOG, wire.GET_METADATA):
                assert keys.get(key) == (0, 0), (key, keys)
            assert 2 not in answer, answer
        server.stop()


@case()
def unknown_keys_and_versions(directory):
    """Answered with error 2, at once; the connection goes on, and requests before and after are answered."""
    with Server(directory) as server:
        server.start()
        with server.client() as client:
            ids = [client.send(wire.LIST_DATABASES), client.send(NO_SUCH_KEY, b"\xff" * 100), client.send(-1),
                   client.send(wire.LIST_DATABASES, version=9), client.send(wire.PRODUCE_LOG, version=-1),
                   client.send(wire.LIST_DATABASES)]
            answers = {request: (kind, body) for kind, request, body in (client.receive() for _ in ids)}
            for request in (ids[0], ids[-1]):
                assert answers[request][0] == wire.SUCCESS, answers
            for request in ids[1:-1]:
                kind, body = answers[request]
                assert kind == wire.ERROR and wire.one(wire.parse(body), 1) == wire.UNSUPPORTED_VERSION, (request, kind, body)
        server.stop()


@case()
def damaged_bodies(directory):
    """A body that can't be parsed is an error of that request alone."""
    with Server(directory) as server:
        server.start()
        with server.client() as client:
            for key in (wire.CREATE_TABLE, wire.PRODUCE_LOG, wire.FETCH_LOG, wire.LIST_OFFSETS, wire.GET_METADATA):
                for body in (b"\xff", b"\x0a\xff\xff\xff\xff\x0f", b"\x0a\x05ab"):
                    assert error_of(lambda: client.call(key, body)).code == -1, (key, body)  # pylint: disable=W0640
            assert error_of(lambda: client.call(wire.CREATE_TABLE)).code == -1
            client.call(wire.LIST_DATABASES)
        server.stop()


def ends(client):
    """The server closes, perhaps after saying why."""
    try:
        kind, _, _ = client.receive()
        assert kind == wire.FAILURE, f"an answer of type {kind}"
        client.receive()
    except ConnectionError:
        return
    raise AssertionError("the connection goes on")


def peak_kb(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0])


@case()
def wrong_lengths(directory):
    """A frame that is negative, too short or too long closes its connection; no memory is taken for it, others go on."""
    with Server(directory) as server:
        server.start()
        with server.client() as other:
            other.call(wire.LIST_DATABASES)
            before = peak_kb(server.process)
            clients = []
            for length in (-1, -(1 << 31), 0, 1, 7, (1 << 31) - 1, 200 << 20, (100 << 20) + 1):
                clients.append(server.client())
                clients[-1].socket.sendall(struct.pack(">ihhi", length, wire.LIST_DATABASES, 0, 1))
            for client in clients:
                ends(client)
                other.call(wire.LIST_DATABASES)
                client.socket.close()
            assert peak_kb(server.process) - before < 50 << 10, (before, peak_kb(server.process))
        server.stop()


@case()
def half_frames(directory):
    """A client that goes away in the middle of a frame, and one that falls silent, there or between frames, are let go."""
    with Server(directory).with_options({"netty.connection.max-idle-time": "1 s"}) as server:
        server.start()
        whole = wire.frame(wire.LIST_DATABASES, 1, wire.number(1, 1))
        for cut in range(1, len(whole)):
            with server.client() as client:
                client.socket.sendall(whole[:cut])
        clients = []
        for cut in (0, 2, 4, 12, len(whole) - 1):
            clients.append(server.client())
            clients[-1].socket.sendall(whole[:cut])
        for client in clients:
            ends(client)
            client.socket.close()
        with server.client() as client:
            client.call(wire.LIST_DATABASES)
        server.stop()


@case()
def request_size_limit(directory):
    """netty.server.max-request-size is the largest frame, to the byte."""
    with Server(directory).with_options({"netty.server.max-request-size": "64kb"}) as server:
        server.start()
        with server.client() as client:
            fits = wire.blob(100, b"x" * (65536 - 8 - 5))
            assert len(fits) == 65536 - 8
            client.call(wire.LIST_DATABASES, fits)
            client.send(wire.LIST_DATABASES, fits + b"x")
            ends(client)
        server.stop()


@case()
def pipelining(directory):
    """Two thousand appends in flight on one connection, more than the limit of requests, are all answered in order of offsets."""
    with Server(directory).with_options({"netty.server.max-queued-requests": "100"}) as server:
        server.start()
        with server.client(timeout=30) as client:
            client.create_database("db")
            client.create_table("db.t")
            table = client.table_id("db.t")
            client.wait_until_served(table)
            request = wire.produce_body(table, wire.indexed_batch([(1, "x")]))
            first = client.next_id + 1
            for _ in range(2000):
                client.send(wire.PRODUCE_LOG, request)
            for _ in range(2000):
                kind, request_id, body = client.receive()
                assert kind == wire.SUCCESS
                assert wire.base_offset(wire.parse(body)) == request_id - first
        server.stop()


@case()
def golden_batches(directory):
    """Batches of the Java client are stored and returned as they are, but for offset and time; damaged ones are refused."""
    with Server(directory) as server:
        server.start()
        with server.client() as client:
            client.create_database("db")
            for log_format, name in (("ARROW", "arrow"), ("INDEXED", "indexed"), ("COMPACTED", "compacted")):
                client.create_table(f"db.{name}", properties={"table.log.format": log_format})
                table = client.table_id(f"db.{name}")
                client.wait_until_served(table)
                sent = wire.indexed_batch([(1, "a"), (2, None)]) if name == "indexed" else golden(name)
                assert [client.produce(table, sent) for _ in range(3)] == [0, 2, 4]
                damaged = sent[:-1] + bytes([sent[-1] ^ 1])
                assert error_of(lambda: client.produce(table, damaged)).code > 0  # pylint: disable=W0640
                assert error_of(lambda: client.produce(table, sent[:-1])).code > 0  # pylint: disable=W0640
                got = client.read(table)
                assert [batch.base for batch in got] == [0, 2, 4]
                assert all(batch.checked == sent[25:] and batch.timestamp > 0 for batch in got)
        server.stop()


@case()
def later_features_are_refused(directory):
    """Tables with a primary key, lake tables and passwords get an error that says what is missing."""
    with Server(directory) as server:
        server.start()
        with server.client() as client:
            client.create_database("db")
            arrow = {"table.log.format": "ARROW"}
            error = error_of(lambda: client.create_table("db.k", primary_key=["a"], properties=arrow))
            assert error.code == wire.INVALID_TABLE, error
            expect(error.message, "primary.key", "not support")
            error = error_of(lambda: client.create_table("db.l", properties={**arrow, "table.datalake.enabled": "true"}))
            assert error.code == wire.INVALID_TABLE, error
            expect(error.message, "lake", "not support")
            error = error_of(lambda: client.call(AUTHENTICATE, wire.text(1, "PLAIN") + wire.blob(2, b"\0user\0password")))
            assert error.code == AUTHENTICATION_FAILED, error
            assert client.tables("db") == []
        server.stop()
