"""Services that answer only when all of them were asked, some of them later than any sleep."""

import time
from threading import Condition, Thread, current_thread

from checks.failures import failures
from checks.remarks import must, praise, remark, say
from checks.trace import Trace

PATIENCE_S = 2
"""How long asks wait for one that has not begun; a program that is right never waits for it."""
HOLD_S = 0.5
"""How long a late answer waits for ``ask_all`` to go on without it."""
THREE, FIVE = ["weather", "news", "mail"], ["weather", "news", "mail", "maps", "music"]
RUNS = [(THREE, THREE), (THREE, ["weather"]), (FIVE, ["music"])]
"""The services that are asked, and which of them answer late."""
LONG_S = 0.3
"""What a program may sleep before all asks have begun."""
TICK_S = 0.001
_sleep, _join, _start = time.sleep, Thread.join, Thread.start


def sleep(seconds):
    """Sleep for a moment only, because no answer comes before the end of a sleep."""
    if Services.current:
        Services.current.note_wait(seconds)
        seconds = min(seconds, TICK_S)
    _sleep(seconds)


def join(thread, timeout=None):
    """Wait for a thread; a timeout ends after a moment, because no answer comes before it does."""
    if Services.current and timeout is not None:
        Services.current.note_wait(timeout)
        timeout = min(timeout, TICK_S)
    _join(thread, timeout)


def start(thread):
    if Services.current:
        Services.current.started += 1
    _start(thread)


time.sleep, Thread.join, Thread.start = sleep, join, start  # before the program is imported


class Services:
    """The services of a run, and how far a program got with them: ``current`` is the one that goes on."""

    current = None

    def __init__(self, names, late):
        self.names, self.late = names, late
        self.changed = Condition()
        self.begun, self.ended, self.threads = [], [], []
        self.caller = current_thread()
        self.started = 0  # threads
        self.slept_s = self.slept_early_s = 0.0  # in the caller, and before all asks had begun
        self.begun_when_stuck = None
        self.ended_when_over = None
        self.trace = Trace(names)

    def ask(self, name):
        if name not in self.names:
            raise ValueError(f"there is no service {name!r}")
        with self.changed:
            self.begun.append(name)
            self.threads.append(current_thread())
            self.trace.add(name, "begins")
            self.changed.notify_all()
            self._wait_for_all()
            if name in self.late:
                self.changed.wait_for(lambda: self.ended_when_over is not None, HOLD_S)
            self.ended.append(name)
            self.trace.add(name, "ends")
        return f"{name}: sunny"

    def note_wait(self, seconds):
        """Note that the caller waits for a time; first let the threads that it has started ask."""
        if current_thread() is not self.caller:
            return
        with self.changed:
            number = min(self.started, len(self.names))
            self.changed.wait_for(lambda: len(self.begun) >= number, HOLD_S)
            self.slept_s += seconds
            if len(self.begun) < len(self.names):
                self.slept_early_s += seconds

    def _wait_for_all(self):
        """Return when all asks have begun, or when those that have begun wait in vain for another."""
        while len(self.begun) < len(self.names) and not self.begun_when_stuck:
            number = len(self.begun)
            self.changed.wait_for(
                lambda number=number: len(self.begun) > number or self.begun_when_stuck, PATIENCE_S
            )
            if len(self.begun) == number:
                self.begun_when_stuck = number
                self.changed.notify_all()

    def went_one_by_one(self):
        kinds = [event["kind"] for event in self.trace.events]
        return kinds == ["begins", "ends"] * len(self.names)

    def run(self, program):
        """Call the program; return its answers and its error, of which one is None."""
        answers = error = None
        Services.current = self
        try:
            answers = program.ask_all(self.ask, self.names)
            answers = list(answers) if hasattr(answers, "__iter__") else answers
        except Exception as raised:  # noqa: BLE001 - whatever a program to fix may raise
            error = raised
        Services.current = None
        with self.changed:
            self.ended_when_over = len(self.ended)
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.begun, HOLD_S)  # a thread may be about to ask
        return answers, error


def is_of_processes(error):
    """Tell whether an error is one of programs that ask in other processes, or not at all."""
    return isinstance(error, KeyError) or "pickle" in str(error)


def describe_unasked():
    """Say why no service was asked; what ended threads is told apart."""
    if failures.threads:
        return say(en="no service was asked", ru="ни один сервис не спросили")
    return say(en="no service was asked in this process. Threads are enough: a wait needs no core of its own",
                   ru="в этом процессе не спросили ни одного сервиса. Хватит потоков: ожиданию своё ядро не нужно")  # fmt: skip


def find_fault(services, answers, error, caller):
    """Return what is wrong with a run that is over, or nothing."""
    number = len(services.names)
    if not services.begun and (failures.threads or error is None or is_of_processes(error)):
        return describe_unasked()
    if services.begun_when_stuck:
        fault = say(en=f"{services.begun_when_stuck} of {number} requests had begun when none could go on",
                    ru=f"запросов начато {services.begun_when_stuck} из {number}, и ни один не мог продолжаться")  # fmt: skip
        if services.threads[0] is caller:
            fault += say(en=". The first ran in the thread that called ask_all, so nothing could start the next",
                         ru=". Первый шёл в том же потоке, который вызвал ask_all, и начать следующий было некому")  # fmt: skip
        elif services.went_one_by_one():
            fault += say(en=". Each began when the one before it had ended",
                         ru=". Каждый начинался, когда закончился предыдущий")  # fmt: skip
        return fault
    if error and not isinstance(error, KeyError):
        raise error
    if services.ended_when_over < number:
        return say(en=f"ask_all went on when {services.ended_when_over} of {number} services had answered",
                   ru=f"ask_all пошла дальше, когда ответили не все сервисы: {services.ended_when_over} из {number}") + describe_sleep(services)  # fmt: skip
    if sorted(services.begun) != sorted(services.names):
        return say(en=f"each service should be asked once, but these were asked: {services.begun}",
                   ru=f"каждый сервис надо спросить один раз, а спросили: {services.begun}")  # fmt: skip
    if (isinstance(error, KeyError) and error.args[0] in services.names) or answers == [
        None
    ] * number:
        return say(en="all services have answered, but no answer was kept: a thread drops what its function returns",
                   ru="все сервисы ответили, но ответы нигде не сохранены: то, что вернула функция потока, пропадает")  # fmt: skip
    if error:
        raise error
    expected = [f"{name}: sunny" for name in services.names]
    if answers != expected:
        return say(en=f"the answers to {services.names} should be {expected}, but ask_all returned {answers}",
                   ru=f"ответы на {services.names} должны быть {expected}, а пришли: {answers}")  # fmt: skip
    if services.slept_early_s >= LONG_S:
        return say(en=f"ask_all slept for {services.slept_early_s:g} s before it had asked all services. Start all threads first, then wait",
                   ru=f"ask_all ждала {format_ru(services.slept_early_s)} с, не успев спросить все сервисы. Сначала запустите все потоки, потом ждите")  # fmt: skip
    return ""


def format_ru(seconds):
    return f"{seconds:g}".replace(".", ",")


def describe_sleep(services):
    """Say that time is no reason to go on, if the caller has let some pass."""
    if not services.slept_s:
        return ""
    return say(en=f". It waited for {services.slept_s:g} s, not until its threads had ended, and an answer can take longer",
               ru=f". Она ждала {format_ru(services.slept_s)} с, а не до завершения потоков: ответ может идти дольше")  # fmt: skip


def check(program):
    for names, late in RUNS:
        services = Services(names, late)
        answers, error = services.run(program)
        if fault := find_fault(services, answers, error, current_thread()):
            trace = services.trace if services.begun else None
            yield must(en=fault, ru=fault, trace=trace)
            return
    if any(thread.name.startswith("ThreadPool") for thread in services.threads):
        yield remark(en="this is a pool already. Lesson 3 says how large it should be, and where its exceptions go",
                     ru="это уже пул, тема урока 3: какого он размера и о чём он молчит")  # fmt: skip
    yield praise(en="all requests wait at once, and the answers come in order even if the first service answers last",
                 ru="все запросы ждут одновременно, а ответы идут по порядку, даже если первый сервис отвечает последним")  # fmt: skip
