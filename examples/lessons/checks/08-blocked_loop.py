"""Three look-ups, each of which asks the loop for a sign of life before it goes on."""

import asyncio
import concurrent.futures
import time
from concurrent.futures import Future, ProcessPoolExecutor
from inspect import isawaitable
from multiprocessing import parent_process
from multiprocessing.pool import ApplyResult
from multiprocessing.process import BaseProcess
from threading import Condition, Event, get_ident

from checks.failures import describe_unawaited, failures, note_function
from checks.remarks import must, praise, remark, say
from checks.trace import Trace

NAMES = ["python.org", "pypi.org", "example.org"]
ADDRESSES = [f"192.0.2.{sum(name.encode()) % 256}" for name in NAMES]
GRACE_S = 3  # that a program which is not right has to wait; one that is right never does
LOOP = say(en="the loop", ru="цикл")
SLOW_S = 0.3  # that a look-up in a process takes, so that nobody finds it done at once
to_thread, submit = asyncio.to_thread, ProcessPoolExecutor.submit
start_process = BaseProcess.start
futures, processes = [], []  # futures of pools of processes, and all processes


def watch_waits(owner, name, find_pending):
    """Blame a program that waits for others in the thread of the loop, by this function."""
    function = getattr(owner, name)

    def watched(*arguments, **options):
        if get_ident() == attempt.thread and find_pending(*arguments, **options):
            attempt.blame_standstill()
        return function(*arguments, **options)

    setattr(owner, name, watched)


def are_pending(some, *_, **__):
    """Tell whether futures are not done; they have to be a collection, which can be read again."""
    return not hasattr(some, "__next__") and not all(future.done() for future in some)


def has_pending(_, wait=True, **__):
    return wait and are_pending(futures)


def keep_future(pool, function, /, *arguments, **options):
    futures.append(submit(pool, function, *arguments, **options))
    return futures[-1]


def keep_process(process):
    processes.append(process)
    start_process(process)


def keep_function(function, /, *arguments, **options):
    note_function(function)
    return to_thread(function, *arguments, **options)


def take_over():
    """Let a program that is imported from now on wait where we see it."""
    watch_waits(Future, "result", lambda future, *_, **__: not future.done())
    watch_waits(Future, "exception", lambda future, *_, **__: not future.done())
    watch_waits(concurrent.futures, "wait", are_pending)
    watch_waits(concurrent.futures, "as_completed", are_pending)
    watch_waits(ProcessPoolExecutor, "shutdown", has_pending)
    watch_waits(ApplyResult, "wait", lambda result, *_, **__: not result.ready())
    watch_waits(BaseProcess, "join", lambda process, *_, **__: process.is_alive())
    ProcessPoolExecutor.submit = keep_future
    BaseProcess.start = keep_process
    asyncio.to_thread = keep_function


if parent_process() is None:
    take_over()


class Loop(asyncio.SelectorEventLoop):
    """A loop that gives results of threads only when all are there, that of the last name first."""

    def __init__(self):
        super().__init__()
        self.calls, self.held = 0, []

    def run_in_executor(self, executor, func, *args):
        note_function(func)
        self.calls += 1
        held, inner = self.create_future(), super().run_in_executor(executor, func, *args)
        inner.add_done_callback(lambda _: self.hold(held, inner))
        return held

    def hold(self, held, inner):
        self.held.append((held, inner))
        if len(self.held) < self.calls:
            return
        for future, done in sorted(self.held, key=place, reverse=True):
            if future.cancelled():
                continue
            if done.exception():
                future.set_exception(done.exception())
            else:
                future.set_result(done.result())
        self.calls, self.held = 0, []


def place(pair):
    """Return the place of the address that a future holds."""
    _, done = pair
    is_address = not done.exception() and done.result() in ADDRESSES
    return ADDRESSES.index(done.result()) if is_address else 0


class Attempt:
    """One call of look_up_all, and the first thing that is wrong with it."""

    def __init__(self):
        self.changed, self.names, self.fault = Condition(), [], ""
        self.thread, self.found, self.is_awaitable = None, None, True
        self.error = None
        self.trace = Trace([LOOP, *NAMES])

    def run(self, program):
        with asyncio.Runner(loop_factory=Loop) as runner:
            self.loop = runner.get_loop()
            try:
                runner.run(self.await_all(program))
            except Exception as error:
                if not self.fault:  # what else goes wrong may be a consequence
                    raise
                self.error = error
        self.thread = None  # whatever waits from now on

    async def await_all(self, program):
        self.thread = get_ident()
        waiting = program.look_up_all(look_up, list(NAMES))
        self.is_awaitable = isawaitable(waiting)
        if self.is_awaitable:
            self.found = await waiting

    def blame(self, fault):
        with self.changed:
            if not self.fault:
                self.fault = fault
            self.changed.notify_all()

    def blame_standstill(self):
        if not self.fault:
            self.trace.add(LOOP, "stands still")
        self.blame(say(en="look_up runs outside the loop's thread, but that thread stands still until it returns",
                       ru="look_up работает не в потоке цикла, но поток цикла стоит, пока она не закончится"))  # fmt: skip

    def enter(self, name):
        """Note that a look-up begins; wait until the loop lives and all others have begun."""
        with self.changed:
            self.names.append(name)
            self.trace.add(name, "begins")
            self.changed.notify_all()
        if get_ident() == self.thread:
            self.trace.add(LOOP, "stands still")
            self.blame(say(en="look_up runs in the loop's own thread: until it returns, the loop can do nothing else",
                           ru="look_up работает в потоке самого цикла: пока она не закончится, цикл больше ничего не делает"))  # fmt: skip
            return
        alive = Event()
        self.loop.call_soon_threadsafe(alive.set)
        if not self.fault and not alive.wait(GRACE_S):
            self.blame_standstill()
        with self.changed:
            self.changed.wait_for(lambda: self.fault or len(self.names) >= len(NAMES), GRACE_S)
            begun = len(self.names)
        if begun < len(NAMES):
            self.blame(say(en=f"not all at the same time: {begun} of 3 look-ups had begun when none could go on",
                           ru=f"не все одновременно: вызовов начато {begun} из 3, и ни один не мог продолжаться"))  # fmt: skip


attempt = Attempt()


def look_up(name):
    """Return the address of a name; a process of a pool finds this function by its name, too."""
    if parent_process() is None:
        attempt.enter(name)
        attempt.trace.add(name, "ends")
    else:
        time.sleep(SLOW_S)
    return ADDRESSES[NAMES.index(name)]


def describe(found):
    """Return what was found in short: text as it is, of all else the type."""
    items = found if isinstance(found, (list, tuple)) else [found]
    return ", ".join(item if isinstance(item, str) else type(item).__name__ for item in items)


def describe_cause():
    """Say how look_up came to run where it did, or what began only after another, or nothing."""
    trace = attempt.trace
    if failures.results:
        return say(en=f". It ran first, and what it returned, {failures.results[0]!r}, was handed over in place of the function",
                   ru=f". Она отработала сразу, и вместо функции передан её результат, {failures.results[0]!r}")  # fmt: skip
    error = attempt.error
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TypeError) and ("await" in str(error) or "coroutine" in str(error)):
        return say(en=". It is no async function: it runs at once, and what it returns can't be awaited",
                   ru=". Это не async-функция: она отработает сразу, а её результат await ждать не умеет")  # fmt: skip
    if [event["kind"] for event in trace.events] == ["begins", "ends"] * len(NAMES):
        return say(en=". Each began when the one before it had ended",
                   ru=". Каждый начинался, когда закончился предыдущий")  # fmt: skip
    return ""


def describe_missing():
    """Say why something else than addresses came, if that is plain."""
    found = attempt.found if isinstance(attempt.found, (list, tuple)) else [attempt.found]
    if unawaited := describe_unawaited():
        return f". {unawaited}"
    if any(isawaitable(item) for item in found):
        return say(en=". These are calls that were never awaited: they have not begun",
                   ru=". Это вызовы, которых не дождались через await: они и не начинались")  # fmt: skip
    if not attempt.names and not processes:
        return say(en=". look_up was never called", ru=". look_up никто не вызвал")
    if attempt.names and all(item is None for item in found):
        return say(en=". look_up did run, but nothing returns what it found",
                   ru=". look_up отработала, но её результат никто не возвращает")  # fmt: skip
    return ""


def check(program):
    attempt.run(program)
    if attempt.fault:
        fault = attempt.fault + describe_cause()
        yield must(en=fault, ru=fault, trace=attempt.trace if attempt.names else None)
    elif not attempt.is_awaitable:
        yield must(en="look_up_all can't be awaited: keep its async def",
                   ru="look_up_all нельзя дождаться: оставьте ей async def")  # fmt: skip
    elif not isinstance(attempt.found, (list, tuple)) or list(attempt.found) != ADDRESSES:
        yield must(en=f"look_up_all should return {', '.join(ADDRESSES)}, but it returned {describe(attempt.found)}{describe_missing()}",
                   ru=f"должны прийти {', '.join(ADDRESSES)}, а пришло: {describe(attempt.found)}{describe_missing()}")  # fmt: skip
    elif not attempt.names:
        yield remark(en="processes work, but look_up only waits, and a thread costs less",
                     ru="процессы работают, но look_up только ждёт, и поток обойдётся дешевле")  # fmt: skip
    else:
        yield praise(en="all look-ups wait at the same time, and the loop goes on",
                     ru="все вызовы ждут одновременно, а цикл работает дальше")  # fmt: skip
