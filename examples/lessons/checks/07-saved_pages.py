"""Three saves that end in every order, and each of them later than any timer of the program."""

import asyncio
from inspect import isawaitable
from itertools import permutations
from selectors import DefaultSelector

from checks.failures import describe_error, describe_unawaited, failures
from checks.remarks import must, praise, remark, say, should
from checks.trace import Trace

PAGES = say(en=["page 1", "page 2", "page 3"], ru=["страница 1", "страница 2", "страница 3"])
CALLER = "save_all"
MOST_TURNS = 300  # of the loop without news: then the program polls, and a save may end
PATIENCE_S = 1  # for a thread that goes on


class Stuck(BaseException):
    """Ends a run in which nothing can happen any more."""


class Selector(DefaultSelector):
    """A selector that waits only for threads. Else it moves the loop's clock, or else lets a save end."""

    def __init__(self, run):
        super().__init__()
        self.run, self.now, self.turns = run, 0.0, 0
        self.in_threads = set()  # calls under way

    def select(self, timeout=None):
        self.turns += 1
        self.run.all_turns += 1
        is_polled = self.turns > MOST_TURNS
        self.run.is_polled |= is_polled
        if self.in_threads and (events := super().select(PATIENCE_S)):
            return events
        if is_polled or timeout is None:
            self.turns = 0
            self.run.end_save()
        else:
            self.now += max(timeout, 0)
        return super().select(0)


class Loop(asyncio.SelectorEventLoop):
    def __init__(self, run):
        self._clock = Selector(run)
        self.tasks = []
        super().__init__(self._clock)

    def create_task(self, coroutine, **options):
        task = super().create_task(coroutine, **options)
        self.tasks.append(task)
        return task

    def run_in_executor(self, executor, function, *arguments):
        future = super().run_in_executor(executor, function, *arguments)
        self._clock.in_threads.add(future)
        future.add_done_callback(self._clock.in_threads.discard)
        return future

    def time(self):
        return self._clock.now


def find_error(loop):
    """Return an error that ended a task of a loop, or nothing; forget the tasks and what they hold."""
    errors = [task.exception() for task in loop.tasks if task.done() and not task.cancelled()]
    loop.tasks.clear()
    return next(filter(None, errors), None)


class Run:
    """One call of save_all, whose saves end in this order; the page ``fails`` fails."""

    def __init__(self, program, order, fails=None):
        self.program, self.order, self.fails = program, order, fails
        self.trace = Trace([CALLER, *PAGES])
        self.saves, self.begun, self.ended = {}, [], []  # saves: the page of each under way
        self.begun_before_first_end = None
        self.at_return = (0, 0, 0)  # saves that had begun, had ended, and were under way
        self.waited_s = 0.0  # by timers
        self.error, self.is_awaitable, self.is_polled, self.is_stuck = None, True, False, False
        self.all_turns = 0  # of the loop
        self.has_stopped = False  # save_all, at an await
        self.task_error = None  # that no await has let out
        failures.clear()
        with asyncio.Runner(loop_factory=lambda: Loop(self)) as runner:
            loop = runner.get_loop()
            loop.set_exception_handler(lambda *_: None)  # of tasks, which we tell ourselves
            try:
                runner.run(self.watch())
            except Stuck:
                self.is_stuck = True
            self.task_error = find_error(loop)
        self.unawaited = describe_unawaited()

    async def watch(self):
        turns = self.all_turns
        waiting = self.program.save_all(self.save, list(PAGES))
        self.is_awaitable = isawaitable(waiting)
        if self.is_awaitable:
            try:
                await waiting
            except Exception as error:  # noqa: BLE001 - whatever the program lets out
                self.error = error
        self.has_stopped = self.all_turns > turns
        self.at_return = len(self.begun), len(self.ended), len(self.saves)
        self.waited_s = asyncio.get_running_loop().time()
        self.trace.add(CALLER, "fails" if self.error else "comes back")
        for future in self.saves:
            future.cancel()  # as the loop does at its end, though in this order

    async def save(self, page):
        self.begun.append(page)
        self.trace.add(page, "begins")
        future = asyncio.get_running_loop().create_future()
        self.saves[future] = page
        try:
            await future
            self.ended.append(page)
            self.trace.add(page, "ends")
        except asyncio.CancelledError:
            self.trace.add(page, "is cancelled")
            raise
        except OSError:
            self.trace.add(page, "fails")
            raise
        finally:
            del self.saves[future]

    def went_one_by_one(self):
        kinds = [event["kind"] for event in self.trace.events if event["lane"]]
        return kinds == ["begins", "ends"] * len(PAGES)

    def end_save(self):
        """End the save whose turn it is; nothing else can happen now."""
        if self.begun_before_first_end is None:
            self.begun_before_first_end = len(self.begun)
        waiting = [future for future in self.saves if not future.done()]
        if not waiting:
            raise Stuck
        future = min(waiting, key=lambda future: self.order.index(self.saves[future]))
        if self.saves[future] == self.fails:
            future.set_exception(OSError("the disk is full"))
        else:
            future.set_result(None)


def name_async_with(error):
    """Return an error, with what to write if it is of a with that should be an async with."""
    if not isinstance(error, TypeError) or "context manager protocol" not in str(error):
        return error
    message = str(error).partition(" (")[0]  # newer Pythons explain it, in English
    better = say(en="its beginning and end have to be awaited, so write async with",
                 ru="вход в него и выход из него надо ждать, поэтому пишите async with")  # fmt: skip
    return TypeError(f"{message}: {better}").with_traceback(error.__traceback__)


def find_fault(run):
    """Say what is wrong with a run in which no save fails, or nothing."""
    if not run.is_awaitable:
        return say(en="save_all can't be awaited: keep its async def",
                   ru="save_all нельзя дождаться: оставьте ей async def")  # fmt: skip
    if run.unawaited and not run.error:
        return run.unawaited
    if run.task_error and not run.error:
        error = describe_error(run.task_error)
        return say(en=f"a task ended with {error}. save_all raised nothing",
                   ru=f"задача завершилась ошибкой {error}, а save_all не выбросила исключения")  # fmt: skip
    return find_fault_of_order(run) or find_fault_of_end(run)


def find_fault_of_order(run):
    first = run.begun_before_first_end
    if first is not None and first < len(PAGES):
        cause = ""
        if run.went_one_by_one():
            cause = say(en=". Each began when the one before it had ended",
                        ru=". Каждое начиналось, когда закончилось предыдущее")  # fmt: skip
        return say(en=f"not all at the same time: {first} of 3 saves had begun when none could go on{cause}",
                   ru=f"не все одновременно: сохранений начато {first} из 3, и ни одно не могло продолжаться{cause}")  # fmt: skip
    return ""


def find_fault_of_end(run):
    begun, ended, _ = run.at_return
    if run.is_stuck:
        return say(en="all saves have ended, and save_all still waits",
                   ru="все сохранения закончились, а save_all всё ждёт")  # fmt: skip
    if isinstance(run.error, TimeoutError):
        return say(en=f"a timeout ended save_all when {ended} of 3 saves had ended",
                   ru=f"save_all прервал таймаут, когда из 3 сохранений закончилось {ended}")  # fmt: skip
    if isinstance(run.error, asyncio.InvalidStateError):
        return say(en=f"save_all asked a task for its result when {ended} of 3 saves had ended",
                   ru=f"save_all запросила результат задачи, когда из 3 сохранений было закончено {ended}")  # fmt: skip
    if run.error:
        raise name_async_with(run.error)
    if sorted(run.begun) != PAGES and begun >= len(PAGES):
        return say(en=f"each page should be saved once, but these were saved: {', '.join(run.begun)}",
                   ru=f"каждую страницу надо сохранить один раз, а сохранялись: {', '.join(run.begun)}")  # fmt: skip
    if ended < len(PAGES) and run.waited_s:
        waited = f"{run.waited_s:g}"
        return say(en=f"save_all waited {waited} s and returned when {begun} of 3 saves had begun and {ended} had ended: a save can take longer",
                   ru=f"save_all подождала {waited.replace('.', ',')} с и вернулась, когда сохранений было начато {begun} из 3, а закончено {ended}: сохранение может длиться дольше")  # fmt: skip
    if ended < len(PAGES):
        cause = ""
        if not begun and not run.has_stopped:
            cause = say(en=". save_all never stopped at an await, so the loop could begin none of them",
                        ru=". save_all ни разу не остановилась на await, и цикл не мог начать ни одного")  # fmt: skip
        return say(en=f"save_all returned when {begun} of 3 saves had begun and {ended} had ended{cause}",
                   ru=f"save_all вернулась, когда сохранений было начато {begun} из 3, а закончено {ended}{cause}")  # fmt: skip
    return ""


def check(program):
    orders = list(permutations(PAGES))
    runs = []
    for order in orders:
        runs.append(Run(program, order))
        if fault := find_fault(runs[-1]):
            yield must(en=fault, ru=fault, trace=runs[-1].trace if runs[-1].begun else None)
            return
    failed = [Run(program, order, fails) for order in orders for fails in PAGES]
    for run in failed:
        if run.error is None:
            yield must(en=f"saving {run.fails} failed, and save_all raised nothing",
                       ru=f"{run.fails} не сохранилась, а save_all не выбросила исключения",
                       trace=run.trace)  # fmt: skip
            return
    if any(run.is_polled for run in runs):
        yield should(en="it asks again and again whether the saves have ended. With await, the loop wakes it when they have",
                     ru="программа снова и снова спрашивает, закончены ли сохранения; await разбудит её сам")  # fmt: skip
    most_left = max(run.at_return[2] for run in failed)
    if most_left:
        yield remark(en=f"when a save fails, save_all raises its error while up to {most_left} other saves are still running. A TaskGroup cancels them",
                     ru=f"если сохранение не удалось, save_all выбрасывает исключение, пока другие ещё идут (до {most_left}); TaskGroup их отменит")  # fmt: skip
    yield praise(en=f"no page is lost in any of {len(orders)} orders, and save_all raises the error when a save fails",
                 ru=f"ни в одном из {len(orders)} порядков страницы не теряются, и исключение доходит до вызывающего кода")  # fmt: skip
