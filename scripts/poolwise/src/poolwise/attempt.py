"""Attempt: a function called over items in one way, timed; runs apart, in a Python of the user's.

``suggestion`` starts it as ``python -P attempt.py TASK``, so that it sees nothing of ours, with a
``target.Task`` in JSON. It prints a line of JSON, which ``proof`` reads, then ``time 1.234567 s``;
what the function prints itself goes to stderr. Where it is, it writes into a file, so that a run that
had to be stopped can be explained. It knows the standard library alone, and needs Python 3.11.
"""

import copy
import faulthandler
import importlib
import importlib.util
import inspect
import json
import mmap
import multiprocessing
import multiprocessing.process
import os
import re
import selectors
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent import futures
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any


def _load(name: str) -> Any:
    """Load a module of ours by its file: no folder of ours is on the user's path."""
    spec = importlib.util.spec_from_file_location(
        f"poolwise_{name}", Path(__file__).with_name(f"{name}.py")
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


if TYPE_CHECKING:
    from poolwise import digests, effects, entry
else:
    entry = _load("entry")
    digests = _load("digests")
    effects = _load("effects")
# Whatever a pool takes is imported before the user's folder, which may have files of the same names.
for _name in ("process", "thread", "interpreter"):
    with suppress(ImportError):
        importlib.import_module(f"concurrent.futures.{_name}")
for _name in ("fork", "spawn_posix", "forkserver"):
    with suppress(ImportError):
        importlib.import_module(f"multiprocessing.popen_{_name}")

Function = Callable[..., Any]

_BLOCKED_S = 0.1  # so long two threads compute side by side, twice
# An item that takes longer is not called over for that: it would take as long again, and more.
_LONG_S = 1.0
# A coroutine blocks if it keeps the loop from turning for more than this share of its time, idly.
_BLOCKING = 0.5
_CHUNKS = 4
_ENDING_S = 1.5  # so long Python may take to end once the answer is there; then it is ended
_MOST_DIGESTS = 8_000  # of more results several have a digest in common
_MOST_TEXTS = 1_000
_IMPORTING, _CALLING, _POOLING, _COMPARING, _ENDING, _KEPT = range(1, 7)
APART = ("processes", "interpreters")  # ways whose workers have their own copies of all variables
STAGE_NAMES = ("starting", "importing", "calling", "pooling", "comparing", "ending", "kept")
# The head of the file that a stage is in: place in `STAGE_NAMES`, items that are done, items in all.
STAGE = struct.Struct("<BQQ")
_MAIN_ONLY = re.compile(r"module (\w+)\S* does not support loading in subinterpreters")
POOLS = {
    "threads": "ThreadPoolExecutor",
    "processes": "ProcessPoolExecutor",
    "interpreters": "InterpreterPoolExecutor",  # from Python 3.14 on
}


class Stage:
    """Where an attempt is, in memory that outlives it; a text after the head says what is left."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "w+b")  # noqa: SIM115 - it is open until the end
        self._file.truncate(1 << 16)
        self._memory = mmap.mmap(self._file.fileno(), 1 << 16)

    def enter(self, number: int, total: int = 0) -> None:
        """Begin a stage."""
        self._number, self._total = number, total
        self.count(0)

    def count(self, done: int) -> None:
        """Note how many items are done."""
        STAGE.pack_into(self._memory, 0, self._number, done, self._total)

    def watch(self, limit_s: float) -> None:
        """Write down shortly before the limit what each thread is at."""
        self._file.seek(STAGE.size)
        # Once only: a thread that runs meanwhile may change what is being read, which can kill Python.
        # The limit is of the whole process, and on a busy machine Python takes its time to start.
        faulthandler.dump_traceback_later(max(limit_s / 2, limit_s - 2.0), file=self._file)

    def keep(self, text: str) -> None:
        """Note what keeps Python from ending."""
        self.enter(_KEPT)
        self._memory[STAGE.size : STAGE.size + 200] = text.encode()[:200].ljust(200, b"\0")


class _Selector(selectors.DefaultSelector):
    """Counts the seconds that a loop waits, which is when others can run."""

    waited_s = 0.0

    def select(self, timeout: float | None = None) -> Any:
        began_s = time.perf_counter()
        try:
            return super().select(timeout)
        finally:
            self.waited_s += time.perf_counter() - began_s


def import_ours(name: str, folder: str) -> Any:
    """Import a module of Python's, though a file in the user's folder may have its name."""
    path = sys.path[:]
    sys.path[:] = [place for place in path if place != folder]
    try:
        return importlib.import_module(name)
    finally:
        sys.path[:] = path


class Work:
    """A function with its items, called in one way or another; coroutines all on one event loop."""

    def __init__(
        self, function: Function, items: Sequence[Any], task: dict[str, Any], stage: Stage
    ) -> None:
        self.function, self.items, self.task, self.stage = function, items, task, stage
        self.is_coroutine = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)  # noqa: B004 - of an object that can be called
        )
        self.selector = _Selector()
        self.runner: Any = None
        if self.is_coroutine:
            self._asyncio = import_ours("asyncio", task["folder"])
            make_loop = self._make_loop if task["way"] == "probe" else None
            self.runner = self._asyncio.Runner(loop_factory=make_loop)

    def _make_loop(self) -> Any:
        return self._asyncio.SelectorEventLoop(self.selector)

    def call(self, item: Any) -> Any:
        """Call the function with an item, or with its arguments."""
        if not self.task.get("is_spread"):
            return self.function(item)
        return self.function(**item) if isinstance(item, dict) else self.function(*item)

    def call_whole(self, item: Any) -> Any:
        """Call it and, if it is a coroutine function, run that to its end on an event loop."""
        return self._asyncio.run(self.call(item)) if self.is_coroutine else self.call(item)

    def run(self, way: str, workers: int) -> list[Any]:
        """Call it over all items; of a pool only one of processes takes them in parts."""
        if way == "coroutines":
            self.stage.enter(_POOLING, len(self.items))
            return list(self.runner.run(self._await_all(workers)))
        if way == "loop":
            self.stage.enter(_CALLING, len(self.items))
            if self.is_coroutine:
                return list(self.runner.run(self._await_each()))
            return self._collect(map(self.call, self.items))
        self.stage.enter(_POOLING, len(self.items))
        more: dict[str, Any] = {}
        if way == "interpreters":  # their path is not ours
            path = f"import sys; sys.path.insert(0, {self.task['folder']!r})"
            more = {"initializer": exec, "initargs": (path,)}
        with getattr(futures, POOLS[way])(workers, **more) as pool:
            return self._collect(self._map(pool, way, workers))

    def run_again(self, items: Sequence[Any]) -> None:
        """Call it with items one after the other, whatever comes of it."""
        for item in items:
            self.runner.run(self.call(item)) if self.is_coroutine else self.call(item)

    def _map(self, pool: Any, way: str, workers: int) -> Any:
        size = find_chunk(len(self.items), workers)
        if way == "threads":
            return pool.map(self.call_whole, self.items)
        if not self.task.get("is_spread"):
            return pool.map(self.function, self.items, chunksize=size)
        if all(isinstance(item, list) and len(item) == len(self.items[0]) for item in self.items):
            return pool.map(self.function, *zip(*self.items, strict=True), chunksize=size)
        given = [({}, item) if isinstance(item, list) else (item, ()) for item in self.items]
        calls = [pool.submit(self.function, *spread, **keywords) for keywords, spread in given]
        return map(futures.Future.result, calls)

    def _collect(self, results: Iterable[Any]) -> list[Any]:
        collected: list[Any] = []
        for result in results:
            collected.append(result)
            self.stage.count(len(collected))
        return collected

    async def _await_each(self) -> list[Any]:
        results: list[Any] = []
        for item in self.items:
            results.append(await self.call(item))
            self.stage.count(len(results))
        return results

    async def _await_all(self, workers: int) -> list[Any]:
        limit = self._asyncio.Semaphore(workers)
        done = 0

        async def bounded(item: object) -> object:
            nonlocal done
            async with limit:
                result = await self.call(item)
            done += 1
            self.stage.count(done)
            return result

        return list(await self._asyncio.gather(*map(bounded, self.items)))


def find_chunk(count: int, workers: int) -> int:
    """The size of the parts of so many items: each process gets a few, so that none waits long."""
    return max(1, count // (_CHUNKS * workers))


class Prover:
    """Compares the state before calls with that after them, and makes digests of results."""

    def __init__(self, work: Work) -> None:
        self._work = work
        folder = work.task["folder"]
        effects.import_early(work.function, folder)
        self._folders = [folder]
        if Path(folder).is_relative_to(Path.cwd()):
            self._folders.append(os.getcwd())
        self._ours = os.path.dirname(work.task["stage"])
        self._size = -(-len(work.items) // _MOST_DIGESTS)
        self._items = [digests.Digester().digest(block) for block in self._split(work.items)]
        self._before = self._read()

    def _split(self, values: Sequence[Any]) -> Sequence[Any]:
        """Cut values into blocks, each with a digest; a block of one is that value."""
        if self._size == 1:
            return values
        return [values[begin : begin + self._size] for begin in range(0, len(values), self._size)]

    def _read(self) -> Any:
        function, name = self._work.function, self._work.task["function"]
        home = self._work.task["module"]
        return effects.Snapshot(function, home, name, self._folders, self._ours)

    def prove(self, results: Sequence[Any], *, again: Sequence[Any] = ()) -> dict[str, Any]:
        """Return what ``proof`` compares; calling it ``again`` shows which containers only grow."""
        self._work.stage.enter(_COMPARING, len(results))
        after = self._read()
        changes = self._before.list_changes(after)
        result_digests, item_digests, uncompared = [], [], {}
        blocks = zip(self._split(results), self._split(self._work.items), self._items, strict=False)
        for number, (block, given, before) in enumerate(blocks):
            digester = digests.Digester()
            result_digests.append(digester.digest(block))
            if digester.uncompared:
                uncompared[number * self._size] = digester.uncompared
            digest = digests.Digester().digest(given)
            is_kept = all(map(digester.has_met, [given] if self._size == 1 else given))
            item_digests.append("" if digest == before or is_kept else digest)
        texts = [digests.describe_value(result) for result in results[:_MOST_TEXTS]]
        plain = all(type(result) in digests.PLAIN for result in results)
        is_empty = (
            len(set(map(repr, results))) == 1 if plain and len(results) > 1 else results == [None]
        )
        grown: list[str] = []
        variables = [name for name, change in changes.items() if not change.get("is_file")]
        last, overwritten = results[-1], ""
        is_reused = not plain and any(result is last for result in results[:-1])
        if again and (variables or is_reused):
            last_digest = digests.Digester().digest(last)
            with suppress(BaseException):
                self._work.run_again(again)
                grown = after.list_grown(self._read(), variables)
            if is_reused and digests.Digester().digest(last) != last_digest:
                overwritten = digests.name_type(type(last))
        return {
            "count": len(results),
            "results": result_digests,
            "texts": texts,
            "is_empty": is_empty,
            "uncompared": dict(list(uncompared.items())[:9]),
            "items": item_digests if any(item_digests) else [],
            "changes": dict(list(changes.items())[:200]),
            "unread": self._before.unread | after.unread,
            "grown": grown,
            "overwritten": overwritten,
        }


def probe(work: Work) -> dict[str, Any]:
    """Call it over items until the time of a task is up; tell what they take.

    Two at least: of one no pool gains anything.
    """
    task, items = work.task, work.items
    spare: Sequence[Any] = []
    with suppress(Exception):  # a lock has no copy
        spare = copy.deepcopy(items[:1])
    prover = Prover(work)
    results: list[Any] = []
    work.stage.enter(_CALLING, len(items))
    began_s, began_cpu_s, began_queued_s = time.perf_counter(), time.process_time(), read_queued()
    while len(results) < len(items):
        if len(results) > 1 and time.perf_counter() > began_s + task["limit_s"]:
            break
        item = items[len(results)]
        try:
            call = work.call(item)
            results.append(work.runner.run(call) if work.is_coroutine else call)
        except BaseException as error:  # it may also exit
            number = len(results) + 1
            raise entry.explain_failure(work.function, number, item, error, task) from None
        entry.check_result(results[-1], task)
        work.stage.count(len(results))
    total_s, cpu_s = time.perf_counter() - began_s, time.process_time() - began_cpu_s
    queued_s = read_queued() - began_queued_s
    had_s = max(total_s - queued_s, cpu_s, 1e-9)  # the time without a core aside
    idle_s = had_s - cpu_s - work.selector.waited_s
    answer: dict[str, Any] = {
        "given": len(items),
        "count": len(results),
        "total_s": total_s,
        "cpu_share": min(1.0, cpu_s / had_s),
        "is_coroutine": work.is_coroutine,
        "blocks_loop": work.is_coroutine and idle_s > _BLOCKING * had_s,
        "blocked_share": None,
        "proof": prover.prove(results, again=spare),
    }
    work.stage.enter(_CALLING, len(items))
    if not work.is_coroutine and total_s < _LONG_S * len(results):
        with suppress(Exception):  # two threads at once are too many for it: a pool will tell
            shares = [find_blocked(lambda: work.call(spare[0])) for _ in range(2)]
            answer["blocked_share"] = min(
                (share for share in shares if share is not None), default=None
            )
    return answer


def read_queued() -> float:
    """Seconds that this thread could have run but had no core; nought where nothing counts them."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except OSError:
        return 0.0


def find_blocked(call: Callable[[], object]) -> float | None:
    """The share of their time that two threads neither ran nor could have run: they waited for each other.

    ``None`` where others keep the cores so busy that they queued for longer than they ran.
    """

    def read_clocks() -> tuple[float, float, float]:
        return time.perf_counter(), time.thread_time(), read_queued()

    def repeat(_: int) -> list[float]:
        began = read_clocks()
        while time.perf_counter() < began[0] + _BLOCKED_S:
            call()
        return [end - begin for begin, end in zip(began, read_clocks(), strict=True)]

    with futures.ThreadPoolExecutor(2) as pool:
        took_s, ran_s, queued_s = map(sum, zip(*pool.map(repeat, range(2)), strict=True))
    return None if queued_s > ran_s else 1 - (ran_s + queued_s) / took_s


def attempt(work: Work) -> dict[str, Any]:
    """Run the function in the way of a task; give seconds and a proof."""
    task = work.task
    prover = None if task["is_idle"] else Prover(work)
    began_s = time.perf_counter()
    try:
        results = work.run(task["way"], task["workers"])
    except BaseException as error:  # it may also exit
        if single := _MAIN_ONLY.search(f"{error} {error.__cause__}"):
            raise entry.Fault("attempt.main-only", module=single[1]) from None
        if task["way"] in APART and entry.is_pickling(error):
            raise entry.explain_pickling(work.function, work.items, error, task) from None
        raise entry.Fault("attempt.failed", error=entry.describe_error(error)) from None
    time_s = time.perf_counter() - began_s
    return {"time_s": time_s, "proof": prover.prove(results) if prover else None}


@contextmanager
def guard_import(refuse: Callable[[], None]) -> Iterator[None]:
    """Refuse processes that a module starts when it is imported, lest each of them starts more."""
    process_class: Any = multiprocessing.process.BaseProcess
    start = process_class.start

    def guarded(process: Any) -> None:
        if getattr(process._target, "__module__", "") != "multiprocessing.managers":  # noqa: SLF001
            refuse()
        start(process)

    process_class.start = guarded
    try:
        yield
    finally:
        process_class.start = start


def main() -> None:
    """Carry out the task, and print what came of it."""
    task = json.loads(sys.argv[1])
    stream = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    stage = Stage(task["stage"])
    stage.watch(task["stops_after_s"])

    def answer(came: dict[str, Any]) -> None:
        stream.write(f"{json.dumps(came)}\ntime {came.get('time_s', 0.0):.9f} s\n")
        stream.flush()

    def refuse() -> None:
        answer({"fault": {"key": "attempt.starts-processes", "values": {"module": task["module"]}}})
        os._exit(0)

    stage.enter(_IMPORTING)
    # A child needs nothing of this file, and would look for what it imports in the user's folder.
    vars(sys.modules["__main__"]).pop("__file__", None)
    sys.path.insert(0, task["folder"])
    runner = None
    try:
        with guard_import(refuse):
            function = entry.find_function(task)
            items = entry.make_items(task)[: task["count"]]
        entry.check_arguments(function, items[0], task)
        if task["is_idle"]:
            function, task["is_spread"] = bool, False
        work = Work(function, items, task, stage)
        runner = work.runner if work.is_coroutine else None
        answer(probe(work) if task["way"] == "probe" else attempt(work))
    except entry.Fault as fault:
        answer({"fault": fault.answer})
    finally:
        end(stage)
        if runner:
            runner.close()


def end(stage: Stage) -> None:
    """Let Python end, but not for ever: the answer is there."""

    def stop() -> None:
        time.sleep(_ENDING_S)
        children = multiprocessing.active_children()
        threads = [
            thread.name
            for thread in threading.enumerate()
            if not thread.daemon and thread is not threading.main_thread()
        ]
        stage.keep(", ".join([*threads, *(child.name for child in children)]))
        for child in children:
            child.kill()
        os._exit(0)

    stage.enter(_ENDING)
    threading.Thread(target=stop, daemon=True).start()


if __name__ == "__main__":
    main()
