#!/usr/bin/env python3
"""Waits until a Fluss server answers metadata requests and knows a tablet server.

    await_ready.py PORT [PID]      exit 0 when ready, 1 after 60 seconds or when process PID has ended
    await_ready.py --free N        prints N free ports of the loopback interface

Speaks the protocol by hand (API_VERSIONS, then an empty GET_METADATA) so that starting a server needs no client.
"""
import os
import socket
import struct
import sys
import time

API_VERSIONS, GET_METADATA = 1000, 1012
TABLET_SERVERS = 2  # field of the metadata response
DEADLINE_S = 60


def string_field(number, text):
    return bytes([number << 3 | 2, len(text)]) + text.encode()


def call(sock, key, request_id, body):
    sock.sendall(struct.pack(">ihhi", 8 + len(body), key, 0, request_id) + body)
    data = receive(sock, struct.unpack(">i", receive(sock, 4))[0])
    if data[0] != 0:
        raise OSError("the server answered with an error")
    return data[5:]


def receive(sock, size):
    data = b""
    while len(data) < size:
        part = sock.recv(size - len(data))
        if not part:
            raise OSError("connection closed")
        data += part
    return data


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def has_message(data, wanted):
    """True if the encoded message has a length-delimited field with this number."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 != 2:
            raise OSError("unexpected metadata response")
        if tag >> 3 == wanted:
            return True
        size, at = varint(data, at)
        at += size
    return False


def ready(port):
    with socket.create_connection(("localhost", port), timeout=5) as sock:
        call(sock, API_VERSIONS, 0, string_field(1, "compat") + string_field(2, "1"))
        return has_message(call(sock, GET_METADATA, 1, b""), TABLET_SERVERS)


def alive(pid):
    try:
        os.kill(pid, 0)
        return True
    except OSError:
        return False


def wait(port, pid):
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        try:
            if ready(port):
                return 0
        except OSError:
            pass
        if pid and not alive(pid):
            print(f"the server of port {port} has ended", file=sys.stderr)
            return 1
        time.sleep(0.1)
    print(f"no metadata from port {port} within {DEADLINE_S} s", file=sys.stderr)
    return 1


def free_ports(count):
    held = [socket.create_server(("localhost", 0)) for _ in range(count)]
    print(*[s.getsockname()[1] for s in held])
    for s in held:
        s.close()
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "--free":
        sys.exit(free_ports(int(sys.argv[2])))
    sys.exit(wait(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
