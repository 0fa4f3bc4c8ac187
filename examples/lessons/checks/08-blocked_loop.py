"""Three look-ups, each of which asks the loop for a sign of life before it goes on."""

import asyncio
from concurrent.futures import Future
from inspect import isawaitable
from multiprocessing import parent_process
from threading import Condition, Event, get_ident

from checks.remarks import must, praise, remark, say

NAMES = ["python.org", "pypi.org", "example.org"]
ADDRESSES = [f"192.0.2.{sum(name.encode()) % 256}" for name in NAMES]
GRACE_S = 3  # that a program which is not right has to wait; one that is right never does
wait_for_result = Future.result


def watch_result(future, timeout=None):
    """Blame a program that waits for a pool in the thread of the loop."""
    if get_ident() == attempt.thread and not future.done():
        attempt.blame_standstill()
    return wait_for_result(future, timeout)


Future.result = watch_result  # before the program is imported


class Loop(asyncio.SelectorEventLoop):
    """A loop that gives results of threads only when all are there, that of the last name first."""

    def __init__(self):
        super().__init__()
        self.calls, self.held = 0, []

    def run_in_executor(self, executor, func, *args):
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

    def run(self, program):
        with asyncio.Runner(loop_factory=Loop) as runner:
            self.loop = runner.get_loop()
            try:
                runner.run(self.await_all(program))
            except Exception:
                if not self.fault:  # what else goes wrong may be a consequence
                    raise

    async def await_all(self, program):
        self.thread = get_ident()
        waiting = program.look_up_all(look_up, list(NAMES))
        self.is_awaitable = isawaitable(waiting)
        if self.is_awaitable:
            self.found = await waiting

    def blame(self, fault):
        with self.changed:
            self.fault = self.fault or fault
            self.changed.notify_all()

    def blame_standstill(self):
        self.blame(say(en="look_up runs outside the loop's thread, but that thread stands still until it returns",
                       ru="look_up работает в другом потоке, но поток цикла стоит, пока она не закончится"))  # fmt: skip

    def enter(self, name):
        """Note that a look-up begins; wait until the loop lives and all others have begun."""
        with self.changed:
            self.names.append(name)
            self.changed.notify_all()
        if get_ident() == self.thread:
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
                           ru=f"не все одновременно: из 3 вызовов было начато {begun}, когда ни один не мог продолжаться"))  # fmt: skip


attempt = Attempt()


def look_up(name):
    """Return the address of a name; a process of a pool finds this function by its name, too."""
    if parent_process() is None:
        attempt.enter(name)
    return ADDRESSES[NAMES.index(name)]


def describe(found):
    """Return what was found in short: text as it is, of all else the type."""
    items = found if isinstance(found, (list, tuple)) else [found]
    return ", ".join(item if isinstance(item, str) else type(item).__name__ for item in items)


def check(program):
    attempt.run(program)
    if attempt.fault:
        yield must(en=attempt.fault, ru=attempt.fault)
    elif not attempt.is_awaitable:
        yield must(en="look_up_all can't be awaited: keep its async def",
                   ru="look_up_all нельзя дождаться: оставьте ей async def")  # fmt: skip
    elif not isinstance(attempt.found, (list, tuple)) or list(attempt.found) != ADDRESSES:
        yield must(en=f"look_up_all should return {', '.join(ADDRESSES)}, but it returned {describe(attempt.found)}",
                   ru=f"должны прийти {', '.join(ADDRESSES)}, а пришло: {describe(attempt.found)}")  # fmt: skip
    elif not attempt.names:
        yield remark(en="processes work, but look_up only waits, and a thread costs less",
                     ru="процессы работают, но look_up только ждёт, и поток обойдётся дешевле")  # fmt: skip
    else:
        yield praise(en="all look-ups wait at the same time, and the loop goes on",
                     ru="все вызовы ждут одновременно, а цикл работает дальше")  # fmt: skip
