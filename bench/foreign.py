"""Functions that others wrote, from the documentation of libraries, over items; see ``yours``.

Each is as its source has it (see ``yours.toml``), but for the loop around it, which is what is tried. Ten
wait, for ``serve`` mostly, and ten compute.
"""

import asyncio
import fcntl
import hashlib
import json
import math
import operator
import os
import random
import re
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

MOST_AT_ONCE = 8
"""Requests that the service answers at once."""
TEXT = Path(re.__file__).read_text(encoding="utf-8")
HOST, PORT = "127.0.0.1", int(os.environ.get("FOREIGN_PORT", "0"))
# Else each thread loads certificates when it asks for the first time.
urllib.request.install_opener(urllib.request.build_opener())


def load_url(milliseconds: int) -> int:
    with urllib.request.urlopen(f"http://{HOST}:{PORT}/wait/{milliseconds}", timeout=60) as page:
        return len(page.read())


def fetch(milliseconds: int) -> int:
    with urllib.request.urlopen(f"http://{HOST}:{PORT}/few/{milliseconds}", timeout=60) as page:
        return len(page.read())


def calculate(a: int) -> int:
    time.sleep(0.5 * random.Random(a).random() / 10)
    return a * 7


def ask_socket(milliseconds: int) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
        sock.connect((HOST, PORT))
        sock.sendall(f"GET /wait/{milliseconds}\r\n\r\n".encode())
        return sock.recv(1024).decode().splitlines()[0]


def resolve(milliseconds: int) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.sendto(str(milliseconds).encode(), (HOST, PORT))
        return int(sock.recv(1024))


def run_command(milliseconds: int) -> int:
    return subprocess.run(["sleep", str(milliseconds / 1000)], check=True).returncode


def lock_file(milliseconds: int) -> int:
    with Path(__file__).open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        time.sleep(milliseconds / 1000)
        return milliseconds


def scrape(milliseconds: int) -> int:
    return load_url(milliseconds) + count_words(8)


async def say_after(milliseconds: int) -> int:
    await asyncio.sleep(milliseconds / 1000)
    return milliseconds


async def tcp_echo_client(milliseconds: int) -> str:
    reader, writer = await asyncio.open_connection(HOST, PORT)
    writer.write(f"GET /wait/{milliseconds}\r\n\r\n".encode())
    data = await reader.read(1024)
    writer.close()
    await writer.wait_closed()
    return data.decode().splitlines()[0]


def is_prime(n: int) -> bool:
    if n < 2:
        return False
    if n == 2:
        return True
    if n % 2 == 0:
        return False
    sqrt_n = math.floor(math.sqrt(n))
    return all(n % i for i in range(3, sqrt_n + 1, 2))


def blocking_io(count: int) -> int:
    with Path("/dev/urandom").open("rb") as file:
        return len([file.read(100) for _ in range(count)])


def cpu_bound(count: int) -> int:
    return sum(i * i for i in range(count))


def hash_password(iterations: int) -> str:
    return hashlib.pbkdf2_hmac("sha256", b"password", b"bad salt" * 2, iterations).hex()


def compress(size: int) -> int:
    return len(zlib.compress(TEXT.encode() * size, 9))


def count_words(times: int) -> int:
    return Counter(re.findall(r"\w+", TEXT.lower() * times)).most_common(10)[0][1]


def parse(count: int) -> list[dict[str, Any]]:
    text = json.dumps([{"id": number, "tags": ["a", "b"]} for number in range(count)])
    return json.loads(text)  # type: ignore[no-any-return]


def sort_rows(count: int) -> int:
    chance = random.Random(count)
    rows = [(chance.random(), number) for number in range(count)]
    rows.sort(key=operator.itemgetter(0))
    return rows[0][1]


def count_rows(count: int) -> int:
    with sqlite3.connect(":memory:") as con:
        con.execute("CREATE TABLE lang (name, year)")
        con.executemany("INSERT INTO lang VALUES (?, ?)", ((str(n), n) for n in range(count)))
        return len(con.execute("SELECT * FROM lang WHERE year > ? ORDER BY name", (9,)).fetchall())


def square(number: int) -> int:
    return number * number


class _Service(asyncio.DatagramProtocol):
    """Answers a request after as many milliseconds as it asks for, by TCP and by UDP."""

    def __init__(self) -> None:
        self.at_once = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, kind, milliseconds = (await reader.readuntil(b"\r\n\r\n")).split()[1].split(b"/")
        self.at_once += 1
        status = "200 OK"
        if kind == b"few" and self.at_once > MOST_AT_ONCE:
            status = "429 Too Many Requests"
        else:
            await asyncio.sleep(int(milliseconds) / 1000)
        self.at_once -= 1
        writer.write(f"HTTP/1.0 {status}\r\n\r\n{'x' * 200}".encode())
        writer.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport

    def datagram_received(self, data: bytes, address: Any) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(int(data) / 1000, self.transport.sendto, data, address)


async def serve() -> None:
    """Answer until stdin ends; prints the port."""
    service = _Service()
    server = await asyncio.start_server(service.answer, HOST, 0, backlog=512)
    port = server.sockets[0].getsockname()[1]
    loop = asyncio.get_running_loop()
    await loop.create_datagram_endpoint(lambda: service, local_addr=(HOST, port))
    print(port, flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve())
