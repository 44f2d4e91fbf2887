"""Strom as a process: started in a directory of its own, asked, stopped, killed. Whatever was started ends with the case."""
import os
import pathlib
import signal
import socket
import subprocess
import time

import wire

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("STROM_BIN", str(ROOT / "build/release/strom"))
START_LIMIT_S, STOP_LIMIT_S = 30, 20


def free_port():
    with socket.create_server(("localhost", 0)) as held:
        return held.getsockname()[1]


def command(*arguments, cwd="."):
    """Runs the binary to its end: (status, stdout, stderr)."""
    done = subprocess.run([BINARY, *arguments], cwd=cwd, capture_output=True, text=True, timeout=START_LIMIT_S,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


class Server:
    """One data directory, and the process that uses it, anew after each start()."""

    def __init__(self, directory, data="data", **options):
        self.directory = pathlib.Path(directory)
        self.port = free_port()
        self.options = {"data.dir": str(self.directory / data), "bind.listeners": f"FLUSS://localhost:{self.port}",
                        "server.data-disk.write-limit-ratio": "1",  # the disk of the tests may be fuller than a server likes
                        "strom.shards": "2", **{key.replace("__", "."): value for key, value in options.items()}}
        self.process, self.log = None, None
        self.starts = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def with_options(self, options):
        self.options.update(options)
        return self

    def arguments(self):
        return [word for key, value in self.options.items() for word in ("-D", f"{key}={value}")]

    def launch(self, *arguments):
        """Starts the process and returns at once. The log of each start is a file of its own."""
        self.starts += 1
        self.log = self.directory / f"server-{self.starts}.log"
        with open(self.log, "wb") as out:
            self.process = subprocess.Popen([BINARY, "server", *(arguments or self.arguments())], cwd=self.directory,
                                            stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        return self

    def start(self, *arguments):
        """Returns when the server answers metadata requests and has said what it runs with, which may come a moment later."""
        self.launch(*arguments)
        self.wait_for(self._answers, "did not answer")
        self.wait_for(lambda: "serves Fluss clients" in self.text(), "did not say that it serves")
        return self

    def _answers(self):
        try:
            with wire.Client(self.port, timeout=2) as client:
                return 2 in client.call(wire.GET_METADATA)
        except OSError:
            return False

    def wait_for(self, condition, complaint, limit_s=START_LIMIT_S):
        end = time.monotonic() + limit_s
        while not condition():
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended with status {self.process.returncode}:\n{self.tail()}")
            if time.monotonic() > end:
                raise AssertionError(f"the server {complaint} within {limit_s} s:\n{self.tail()}")
            time.sleep(0.01)

    def refusal(self, *arguments):
        """Of a start that must fail: what the server says."""
        self.launch(*arguments)
        try:
            status = self.process.wait(START_LIMIT_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the server runs, but should have refused:\n{self.tail()}") from None
        assert status == 1, f"status {status}, expected 1:\n{self.tail()}"
        return self.text()

    def stop(self, signal_number=signal.SIGTERM):
        """An orderly end: status 0 in time."""
        self.process.send_signal(signal_number)
        try:
            status = self.process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the server did not end within {STOP_LIMIT_S} s of the signal:\n{self.tail()}") from None
        assert status == 0, f"the server ended with status {status}:\n{self.tail()}"

    def kill(self):
        assert self.process.poll() is None, f"the server had ended by itself with {self.process.returncode}:\n{self.tail()}"
        self.process.kill()
        self.process.wait()

    def text(self):
        return self.log.read_text(errors="replace")

    def tail(self, lines=20):
        return "\n".join("  | " + line for line in self.text().splitlines()[-lines:])

    def client(self, **options):
        return wire.Client(self.port, **options)
