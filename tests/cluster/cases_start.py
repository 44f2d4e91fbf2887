"""How a server starts, what it refuses to start with, how it ends, and what it says then."""
import json
import pathlib
import signal
import socket
import urllib.request

import wire
from harness import Skipped, case, expect
from server import Server, command, free_port


@case()
def help_and_version(directory):
    """The binary says what it can do, and which it is; a command that it lacks is refused."""
    status, out, _ = command("--help")
    assert status == 0, status
    expect(out, r"server", r"config", r"version")
    status, out, _ = command("version")
    assert status == 0, status
    expect(out, r"^strom \d+\.\d+")
    status, out, _ = command("server", "--help")
    assert status == 0, status
    expect(out, r"--config", r"-D")
    status, _, error = command("serve", cwd=directory)
    assert status != 0 and "serve" in error, (status, error)


@case()
def defaults_are_told(directory):
    """Without any configuration: port 9123, data in ./strom-data, cold data below; the first lines say so."""
    try:
        socket.create_server(("localhost", 9123)).close()
    except OSError:
        raise Skipped("port 9123 is in use on this machine") from None
    with Server(directory) as server:
        server.port, server.options = 9123, {}
        server.start()
        first = "\n".join(server.text().splitlines()[:10])
        expect(first, r"FLUSS://localhost:9123", r"data=\./strom-data", r"remote=\./strom-data/remote\.data")
        assert (pathlib.Path(directory) / "strom-data").is_dir()
        server.stop()


@case()
def configuration_file(directory):
    """A server.yaml counts; -D counts more."""
    port = free_port()
    file = pathlib.Path(directory) / "server.yaml"
    file.write_text(f"# a comment\nbind.listeners: FLUSS://localhost:{port}\ndata.dir: {directory}/from-file\n"
                    "default.bucket.number: 3\n")
    with Server(directory) as server:
        server.port = port
        server.start("--config", str(file), "-D", f"data.dir={directory}/from-command")
        server.stop()
        expect(server.text(), rf"data={directory}/from-command")
        assert not (pathlib.Path(directory) / "from-file").exists()


@case()
def directory_in_use(directory):
    """A second process on the same directory is refused, and told which directory; the first goes on."""
    with Server(directory) as first, Server(directory) as second:
        first.start()
        said = second.refusal()
        expect(said, rf"{directory}/data", r"another process")
        with first.client() as client:
            client.create_database("still_there")
        first.stop()


@case()
def port_in_use(directory):
    """A port that is taken is refused by name, and the directory is free again."""
    with Server(directory) as server, socket.create_server(("localhost", 0)) as held:
        port = held.getsockname()[1]
        free = server.options["bind.listeners"]
        server.options["bind.listeners"] = f"FLUSS://localhost:{port}"
        expect(server.refusal(), rf"localhost:{port}", r"in use")
        server.options["bind.listeners"] = free
        server.start().stop()


@case()
def bad_values(directory):
    """A value that can't be used stops the start; the message names the key, the value and what is allowed."""
    for key, value, allowed in [("strom.shards", "many", "an integer"),
                                ("strom.shards", "-1", "from 0 to 1024"),
                                ("log.segment.file-size", "1 banana", "a size such as"),
                                ("log.segment.file-size", "4gb", "2147483647"),
                                ("log.flush.offset.checkpoint-interval", "soon", "a duration such as"),
                                ("allow.create.log.tables", "perhaps", "true or false"),
                                ("datalake.format", "delta", "paimon, iceberg"),
                                ("bind.listeners", "nonsense", "NAME://host:port"),
                                ("strom.test.control-port", "65536", "65535")]:
        status, _, error = command("server", "-D", f"data.dir={directory}/data", "-D", f"{key}={value}")
        assert status == 1, f"{key}={value}: status {status}"
        for part in (key, value, allowed):
            assert part in error, f"{key}={value}: expected {part!r} in: {error}"
        assert error.count("\n") == 1, error
    assert not (pathlib.Path(directory) / "data").exists()


@case()
def later_features_are_refused(directory):
    """What is not there yet stops the start, instead of being accepted in silence."""
    for key, value in [("security.protocol.map", "CLIENT:SASL"), ("datalake.enabled", "true"), ("authorizer.enabled", "true"),
                       ("kafka.enabled", "true"), ("data.dirs", "/a,/b")]:
        status, _, error = command("server", "-D", f"data.dir={directory}/data", "-D", f"{key}={value}")
        assert status == 1, f"{key}={value}: status {status}"
        expect(error, key.replace(".", r"\."), r"not supported yet")


@case()
def unknown_keys_warn_once(directory):
    """Keys that nobody knows are one warning that lists them; keys of Fluss without effect here are none."""
    with Server(directory).with_options({"no.such.key": "1", "strom.typo": "x", "zookeeper.address": "localhost:2181"}) as server:
        server.start().stop()
        lines = [line for line in server.text().splitlines() if "unknown configuration keys" in line]
        assert len(lines) == 1, server.text()
        expect(lines[0], r"no\.such\.key", r"strom\.typo")
        assert "zookeeper.address" not in server.text()


@case()
def stops_and_comes_back(directory):
    """SIGTERM ends with status 0; the next start needs no recovery and has all data, which SIGINT does not change."""
    with Server(directory).with_options({"log.segment.file-size": "4kb"}) as server:
        server.start()
        with server.client() as client:
            client.create_database("db")
            client.create_table("db.t")
            table = client.table_id("db.t")
            client.wait_until_served(table)
            for number in range(200):
                assert client.produce(table, wire.indexed_batch([(number, "x" * 100), (number, None)])) == 2 * number
            before = [batch.checked for batch in client.read(table)]
        for how in (signal.SIGTERM, signal.SIGINT):
            server.stop(how)
            server.start()
            expect(server.text(), r"clean=true")
            with server.client() as client:
                client.wait_until_served(table)
                assert [batch.checked for batch in client.read(table)] == before
        server.kill()
        server.start()
        expect(server.text(), r"clean=false")
        with server.client() as client:
            client.wait_until_served(table)
            assert [batch.checked for batch in client.read(table)] == before
        server.stop()


@case()
def stops_under_load(directory):
    """SIGTERM with requests in flight and a waiting fetch: every one is answered or its connection ends; status 0."""
    with Server(directory) as server:
        server.start()
        with server.client() as client, server.client() as reader:
            client.create_database("db")
            client.create_table("db.t")
            table = client.table_id("db.t")
            client.wait_until_served(table)
            reader.send(wire.FETCH_LOG, waiting_fetch(table))
            reader.call(wire.LIST_DATABASES)  # the fetch before it has begun
            requests = {client.send(wire.PRODUCE_LOG, wire.produce_body(table, wire.indexed_batch([(number, "x")]))):
                        number for number in range(100)}
            server.stop()
            acknowledged = {}  # base offset by the number of the request: answers may overtake each other, appends don't
            try:
                while True:
                    kind, request, body = client.receive()
                    if kind == wire.SUCCESS:
                        acknowledged[requests[request]] = wire.base_offset(wire.parse(body))
            except (ConnectionError, OSError, wire.ServerError):
                pass
        server.start()
        with server.client() as client:
            client.wait_until_served(table)
            bases = [batch.base for batch in client.read(table)]
            assert bases == list(range(len(bases))), bases
            assert all(number == base < len(bases) for number, base in acknowledged.items()), (acknowledged, bases)
        server.stop()


def waiting_fetch(table):
    """Waits for a megabyte, ten minutes long."""
    bucket = wire.number(2, 0) + wire.number(3, 0) + wire.number(4, 1 << 20)
    request = wire.number(1, table) + wire.number(2, False) + wire.blob(4, bucket)
    return (wire.number(1, -1) + wire.number(2, 1 << 20) + wire.blob(3, request) + wire.number(4, 600_000) +
            wire.number(5, 1 << 20))


@case()
def http(directory):
    """/health and /metrics answer on their own port, which is closed unless it is configured."""
    port = free_port()
    with Server(directory).with_options({"strom.http.listen": f"localhost:{port}"}) as server:
        server.start()
        with urllib.request.urlopen(f"http://localhost:{port}/health", timeout=10) as answer:
            assert answer.status == 200 and json.load(answer) == {"status": "up"}
        with urllib.request.urlopen(f"http://localhost:{port}/metrics", timeout=10) as answer:
            expect(answer.read().decode(), r"(?m)^# TYPE ", r"(?m)^fluss_\w+(\{.*\})? [0-9.e+-]+$")
        server.stop()
    with Server(directory).with_options({"strom.http.listen": server.options["bind.listeners"].removeprefix("FLUSS://")}) as taken:
        taken.options["bind.listeners"] = server.options["bind.listeners"]
        expect(taken.refusal(), r"strom\.http\.listen", r"in use")
