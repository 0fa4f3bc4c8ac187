"""Coroutines that keep something between calls, which belongs to the event loop of the first."""

import asyncio

_kept = {}


async def ask(number):
    """Asks a server over a connection that the first call opened, one question after the other."""
    if "turn" not in _kept:
        _kept["turn"] = asyncio.Lock()
    async with _kept["turn"]:
        if "connection" not in _kept:
            server = await asyncio.start_server(_serve, "127.0.0.1", 0)
            port = server.sockets[0].getsockname()[1]
            _kept["connection"] = await asyncio.open_connection("127.0.0.1", port)
        reader, writer = _kept["connection"]
        writer.write(b"%d\n" % number)
        return int(await reader.readline())


async def _serve(reader, writer):
    while line := await reader.readline():
        await asyncio.sleep(0.002)
        writer.write(b"%d\n" % (2 * int(line)))


async def use_loop(number):
    """Hands work to the loop that the first call noted."""
    loop = _kept.setdefault("loop", asyncio.get_running_loop())
    future = loop.create_future()
    loop.call_later(0.005, future.set_result, number * 2)
    return await future


async def await_token(number):
    """Waits for a token that a task refreshes."""
    if "fresh" not in _kept:
        _kept["fresh"] = asyncio.Event()
        _kept["refresh"] = asyncio.create_task(_refresh())
    await _kept["fresh"].wait()
    await asyncio.sleep(0.005)
    return number * 2


async def _refresh():
    while True:
        _kept["fresh"].set()
        await asyncio.sleep(60)


async def queue_up(number):
    """Leaves the work to a task that lives as long as the loop."""
    if "queue" not in _kept:
        _kept["queue"] = asyncio.Queue()
        _kept["worker"] = asyncio.create_task(_work())
    future = asyncio.get_running_loop().create_future()
    await _kept["queue"].put((number, future))
    return await future


async def _work():
    while True:
        number, future = await _kept["queue"].get()
        await asyncio.sleep(0.002)
        future.set_result(number * 2)


async def share(number):
    """Lets two in at once, by a semaphore that the first call made."""
    room = _kept.setdefault("room", asyncio.Semaphore(2))
    async with room:
        await asyncio.sleep(0.005)
    return number * 2
