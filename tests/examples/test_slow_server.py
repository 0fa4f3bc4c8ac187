"""The server to ask: as many connections at once as an answer needs, waits and texts as asked for."""

import asyncio
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import urlopen

import pytest

from scripts.site.paths import EXAMPLES

SERVER = EXAMPLES / "answers" / "slow_server.py"
PATIENCE_S = 60.0
CONNECTIONS = 5000


@contextmanager
def start(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A running server, by its address."""
    command = [sys.executable, str(SERVER), *arguments]
    with subprocess.Popen(command, stdout=-1, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout
            yield process.stdout.readline(), process
        finally:
            process.kill()


def read_port(line: str) -> int:
    return int(line.split(maxsplit=1)[0].rpartition(":")[2])


async def ask_twice(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(2):
        writer.write(b"GET /?bytes=7 HTTP/1.1\r\nHost: here\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 ")
        assert await reader.readexactly(7) == b"." * 7
    writer.close()


@pytest.fixture
def _descriptors() -> Iterator[None]:
    """Enough of them for both ends of each connection are the system's; this process has one end."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, CONNECTIONS + 500), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems queue fewer connections")
@pytest.mark.usefixtures("_descriptors")
def test_five_thousand_connections_at_once_are_all_answered_and_kept_open() -> None:
    async def ask_all(port: int) -> None:
        async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as group:
            for _ in range(CONNECTIONS):
                group.create_task(ask_twice(port))

    with start("--port", "0") as (line, _):
        asyncio.run(ask_all(read_port(line)))


def test_a_request_says_how_long_to_wait_and_how_much_to_send() -> None:
    with start("--port", "0", "--wait", "600000") as (line, _):
        url = f"http://127.0.0.1:{read_port(line)}"
        for target, length in (("/?wait=0&bytes=3", 3), ("/wait=1/?page=7", 1000)):
            with urlopen(url + target, timeout=PATIENCE_S) as response:
                assert len(response.read()) == length


def test_ctrl_c_ends_it_quietly_whoever_is_still_connected() -> None:
    with start("--port", "0") as (line, process):
        client = socket.create_connection(("127.0.0.1", read_port(line)))
        client.sendall(b"GET /?wait=600000 HTTP/1.1\r\n\r\n")
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=PATIENCE_S) == ("", None)
        assert process.returncode == 0
        client.close()


def test_a_port_that_is_taken_is_said_in_a_sentence() -> None:
    with start("--port", "0") as (line, _):
        port = str(read_port(line))
        with start("--port", port) as (complaint, process):
            assert process.wait(PATIENCE_S) == 1
    assert complaint == f"Port {port} is taken or not allowed: try --port 8001\n"
