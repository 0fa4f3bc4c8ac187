"""The load generator: it waits for nobody, leaves nothing out, and says when nobody answers."""

import asyncio

import pytest

from tests.examples.conftest import PATIENCE_S
from tests.examples.test_declared import load

TOGETHER = 5
"""Requests that come before the service answers any of them."""


@pytest.fixture
def generator(monkeypatch: pytest.MonkeyPatch):
    for name, value in {"TASKS": "30", "RATE": "1000", "EVERY": "1000"}.items():
        monkeypatch.setenv(name, value)
    return load("responsiveness/load")


def test_of_a_hundred_requests_the_p99_is_the_last_but_one_and_the_lost_are_counted(generator):
    light_s = [number / 1000 for number in range(1, 101)]
    told = generator.report([None, *reversed(light_s)], [0.5, None]).splitlines()
    assert told == [
        "103 requests",
        "p50 50.000 ms",
        "p95 95.000 ms",
        "p99 99.000 ms",
        "max 100.000 ms",
        "lost 2 requests",
    ]


def test_requests_are_sent_though_none_before_has_been_answered(generator, monkeypatch):
    monkeypatch.setattr(generator, "WARM_UP", TOGETHER)
    together, reached = asyncio.Event(), []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        reached.append(request)
        if len(reached) == 1 + 2 * TOGETHER:  # the first of them warm up
            together.set()
        if len(reached) > 1 + TOGETHER:
            await together.wait()
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n" + request.split()[1])
        writer.close()
        await writer.wait_closed()

    async def ask() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with asyncio.timeout(PATIENCE_S):
            await generator.main(port, closed=False)
        server.close()

    asyncio.run(ask())
    assert len(reached) == 1 + TOGETHER + 30


def test_without_an_answer_a_request_counts_as_lost(generator):
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()
        await writer.wait_closed()

    async def ask() -> float | None:
        server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
        wait_s = await generator.ask_at(0.0, server.sockets[0].getsockname()[1], "light")
        server.close()
        return wait_s

    assert asyncio.run(ask()) is None
