"""What is for tests only: the clock file and the control port."""
import os
import pathlib
import socket
import struct

import wire
from harness import case, expect
from server import Server, free_port


def set_clock(file, millis):
    """In place, as one who has the file mapped would."""
    handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
    os.pwrite(handle, struct.pack("<qq", millis, millis * 1_000_000), 0)
    os.close(handle)


@case()
def clock_file(directory):
    """Commit times are what the file says at that moment, and so is "now" of a question by time."""
    file = pathlib.Path(directory) / "clock"
    set_clock(file, 1_000_000)
    with Server(directory).with_options({"strom.test.clock-file": str(file)}) as server:
        server.start()
        with server.client() as client:
            client.create_database("db")
            client.create_table("db.t")
            table = client.table_id("db.t")
            client.wait_until_served(table)
            for millis in (1_000_000, 1_000_001, 90_000_000):
                set_clock(file, millis)
                client.produce(table, wire.indexed_batch([(1, "x")]))
            assert [batch.timestamp for batch in client.read(table)] == [1_000_000, 1_000_001, 90_000_000]
        server.stop()


@case()
def clock_file_that_is_none(directory):
    """A file that is missing or too short stops the start."""
    file = pathlib.Path(directory) / "clock"
    with Server(directory).with_options({"strom.test.clock-file": str(file)}) as server:
        expect(server.refusal(), r"strom\.test\.clock-file", str(file), "No such file")
        file.write_bytes(b"12345678")
        expect(server.refusal(), r"strom\.test\.clock-file", "8 bytes", "16 bytes")
        file.write_bytes(b"\0" * 16)
        server.start().stop()


def ask(port, request):
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.sendall(request.encode() + b"\n")
        answer = b""
        while part := connection.recv(4096):
            answer += part
    assert answer.endswith(b"\n") and answer.count(b"\n") == 1, answer
    return answer.decode().strip()


@case()
def control_port(directory):
    """One line in, one line out; the verbs tell about replicas of all shards and close segments."""
    port = free_port()
    with Server(directory).with_options({"strom.test.control-port": str(port)}) as server:
        server.start()
        assert ask(port, "replicas") == "ok online=0 leaders=0"
        with server.client() as client:
            client.create_database("db")
            client.create_table("db.t", buckets=4, properties={"table.log.ttl": "2 d"})
            table = client.table_id("db.t")
            for bucket in range(4):
                client.wait_until_served(table, bucket)
            client.create_table("db.p", partition_keys=["b"])
            client.create_partition("db.p", "b", "x")
            partitioned, partition = client.table_id("db.p"), client.partitions("db.p")["x"]
            client.wait_until_served(partitioned, partition=partition)
            client.produce(table, wire.indexed_batch([(1, "x"), (2, "y")]), bucket=2)
        assert ask(port, "replicas") == "ok online=5 leaders=5"
        expect(ask(port, f"replica {table} - 2"),
               r"^ok leader=true leader_id=0 metadata=true local_log_start_offset=0 log_end_offset=2 high_watermark=2 "
               r"data_lake_enabled=false tiered_log_local_segments=2 local_log_ttl_ms=172800000 lake_snapshot_id=-1 "
               r"lake_log_end_offset=-1 lake_max_timestamp=-1 remote_log_start_offset=9223372036854775807 "
               r"remote_log_end_offset=-1$")
        expect(ask(port, f"replica {partitioned} {partition} 0"), r"^ok leader=true .*log_end_offset=0 ")
        assert ask(port, f"replica {table} - 4") == "ok none"
        assert ask(port, f"replica {table + 100} - 0") == "ok none"
        segments = lambda: len(list(pathlib.Path(server.options["data.dir"]).glob("db/t-*/log-2/*.log")))
        assert segments() == 1, segments()
        assert ask(port, f"roll {table} - 2") == "ok"
        assert segments() == 2, segments()
        for request in ("snapshot 1 - 0", "", "dance", "REPLICAS"):
            assert ask(port, request) == "unsupported", request
        for request in ("replica", "replica 1 2", "replica x - 0", "roll 1 - 0 0", f"roll {table} - 4"):
            expect(ask(port, request), "^error .+")
        server.stop()


@case()
def control_port_in_use(directory):
    """A taken port stops the start."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        with Server(directory).with_options({"strom.test.control-port": str(port)}) as server:
            expect(server.refusal(), r"strom\.test\.control-port", f"127.0.0.1:{port}", "in use")
