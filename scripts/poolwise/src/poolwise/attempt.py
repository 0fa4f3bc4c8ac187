"""Attempt: a function called over items in one way, timed; runs apart, in a Python of the user's.

``suggestion`` starts it as ``python -P attempt.py TASK``, so that it sees nothing of ours, with a
``suggestion.Task`` in JSON. It prints a line of JSON, then ``time 1.234567 s``; what the function
prints itself goes to stderr. It knows the standard library alone, and needs Python 3.11.
"""

import asyncio
import importlib
import inspect
import json
import os
import pickle
import re
import sys
import time
from collections.abc import Callable, Sequence
from concurrent import futures
from contextlib import suppress
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any

Function = Callable[[Any], Any]

_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
_BLOCKED_S = 0.1  # so long two threads compute side by side, twice
_LONG_S = 1.0
"""An item that takes longer is not called over for that: it would take as long again, and more."""
_CHUNKS = 4
POOLS = {
    "threads": "ThreadPoolExecutor",
    "processes": "ProcessPoolExecutor",
    "interpreters": "InterpreterPoolExecutor",  # from Python 3.14 on
}


def run(way: str, function: Function, items: Sequence[Any], workers: int) -> list[Any]:
    """Call it over all items; of a pool only one of processes takes them in parts."""
    if inspect.iscoroutinefunction(function):
        return asyncio.run(await_all(function, items, workers))
    if way == "loop":
        return [function(item) for item in items]
    with getattr(futures, POOLS[way])(workers) as pool:
        return list(pool.map(function, items, chunksize=find_chunk(len(items), workers)))


def find_chunk(count: int, workers: int) -> int:
    """The size of the parts of so many items: each process gets a few, so that none waits long."""
    return max(1, count // (_CHUNKS * workers))


async def await_all(function: Function, items: Sequence[Any], workers: int) -> list[Any]:
    """Await so many at once on one event loop."""
    limit = asyncio.Semaphore(workers)

    async def bounded(item: object) -> object:
        async with limit:
            return await function(item)

    return await asyncio.gather(*map(bounded, items))


def probe(function: Function, items: Sequence[Any], task: dict[str, Any]) -> dict[str, Any]:
    """Call it over items until the time of a task is up; tell what they take and whether they cross.

    Two at least: of one no pool gains anything.
    """
    results: list[Any] = []
    began_s, began_cpu_s, began_queued_s = time.perf_counter(), time.process_time(), read_queued()
    while len(results) < len(items):
        if len(results) > 1 and time.perf_counter() > began_s + task["limit_s"]:
            break
        item = items[len(results)]
        try:
            results += run("loop", function, [item], 1)
        except BaseException as error:  # it may also exit
            number = f"item {len(results) + 1}, {item!r:.60}"
            return {"fault": f"{task['function']} failed on {number}: {describe(error)}"}
        if kind := find_lazy(results[-1]):
            return {"fault": f"{task['function']} returns {kind}"}
    total_s, cpu_s = time.perf_counter() - began_s, time.process_time() - began_cpu_s
    had_s = total_s - (read_queued() - began_queued_s)  # the time without a core aside
    told: dict[str, Any] = {
        "count": len(results),
        "total_s": total_s,
        "cpu_share": min(1.0, cpu_s / max(had_s, cpu_s, 1e-9)),
        "is_coroutine": inspect.iscoroutinefunction(function),
        "blocked_share": None,
    }
    if not told["is_coroutine"] and total_s < _LONG_S * len(results):
        with suppress(Exception):  # two threads at once are too many for it: a pool will tell
            shares = [find_blocked(function, items[:1]) for _ in range(2)]
            told["blocked_share"] = min((one for one in shares if one is not None), default=None)
    began_s = time.perf_counter()
    with suppress(Exception):  # what cannot cross has no sizes: a pool of processes will tell
        crossing = (function, items[: len(results)], results)
        _, told["item_bytes"], told["result_bytes"] = (len(pickle.dumps(one)) for one in crossing)
        told["pickling_s"] = time.perf_counter() - began_s
    return told


def find_lazy(result: object) -> str:
    """Say what a result is that nothing has been done for yet, and what to do; else nothing."""
    if inspect.isawaitable(result):
        return "a coroutine: name the function that is defined with “async def”"
    if inspect.isgenerator(result) or inspect.isasyncgen(result):
        return "a generator, which has done nothing yet: wrap it in list()"
    return ""


def read_queued() -> float:
    """Seconds that this thread could have run but had no core; nought where nothing counts them."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except OSError:
        return 0.0


def find_blocked(function: Function, items: Sequence[Any]) -> float | None:
    """The share of their time that two threads neither ran nor could have run: they waited for each other.

    ``None`` where others keep the cores so busy that they queued for longer than they ran.
    """

    def read_clocks() -> tuple[float, float, float]:
        return time.perf_counter(), time.thread_time(), read_queued()

    def call(_: int) -> list[float]:
        began = read_clocks()
        while time.perf_counter() < began[0] + _BLOCKED_S:
            run("loop", function, items, 1)
        return [end - begin for begin, end in zip(began, read_clocks(), strict=True)]

    with futures.ThreadPoolExecutor(2) as pool:
        took_s, ran_s, queued_s = map(sum, zip(*pool.map(call, range(2)), strict=True))
    return None if queued_s > ran_s else 1 - (ran_s + queued_s) / took_s


def attempt(function: Function, items: Sequence[Any], task: dict[str, Any]) -> dict[str, Any]:
    """Run the function in the way of a task; give seconds and a digest of the results."""
    work = bool if task["is_idle"] else function
    began_s = time.perf_counter()
    results = run(task["way"], work, items, task["workers"])
    time_s = time.perf_counter() - began_s
    digest = sha256(_ADDRESS.sub("", repr(results)).encode(errors="replace")).hexdigest()
    return {"digest": digest, "time_s": time_s}


def describe(error: BaseException) -> str:
    """Say in a line what was raised."""
    text = _ADDRESS.sub("", f"{type(error).__name__}: {error}")
    return " ".join(text.split())[:300].rstrip(": ")


def main() -> None:
    """Carry out the task, and print what came of it."""
    task = json.loads(sys.argv[1])
    ours = os.dup(1)
    os.dup2(2, 1)
    items = json.loads(Path(task["items"]).read_text(encoding="utf-8"))[: task["count"]]
    failed = f"{task['module']}:{task['function']} couldn't be imported: "
    try:
        sys.path.insert(0, task["folder"])
        function = attrgetter(task["function"])(importlib.import_module(task["module"]))
        failed = ""
        told = (probe if task["way"] == "probe" else attempt)(function, items, task)
    except BaseException as error:  # it may also exit
        told = {"fault": failed + describe(error)}
    with os.fdopen(ours, "w") as stream:
        stream.write(f"{json.dumps(told)}\ntime {told.get('time_s', 0.0):.9f} s\n")


if __name__ == "__main__":
    main()
