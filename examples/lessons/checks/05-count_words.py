"""Workers whose tasks are shared out here: one worker takes them all, or each task has its own."""

import concurrent.futures
import multiprocessing
import multiprocessing.pool
import re
import sys
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing.process import BaseProcess

from checks.failures import describe_error, failures, note_function
from checks.remarks import must, praise, remark, say, should
from checks.trace import Trace

TEXTS = "one two three", "four five", "six"
WORDS = 6
MAIN = say(en="main process", ru="главный процесс")
PLAIN = int, float, list, tuple, dict, set


def is_main():
    """Tell whether this is the main process; a worker has its name before it has all else."""
    return multiprocessing.current_process().name == "MainProcess"


class Text(str):
    """A text that knows if the main process has counted its words."""

    __slots__ = ()

    def split(self, *arguments, **options):
        if is_main():
            Count.is_counted_here = True
            Count.is_in_thread |= threading.current_thread() is not threading.main_thread()
        return super().split(*arguments, **options)


class Count:
    """What happens in one count of all texts: ``current`` is the one that goes on."""

    current = None
    is_counted_here = is_in_thread = False

    def __init__(self, is_one_worker):
        self.is_one_worker = is_one_worker
        self.is_calling_back = False
        self.started, self.submitted, self.submitted_at_first_result = 0, 0, None
        self.events = []  # of each task: its worker, what this left in its globals, what it returned

    def run(self, program):
        Count.current = self
        found = program.count_all([Text(text) for text in TEXTS])
        workers = sorted({worker for worker, _, _ in self.events})
        lanes = [say(en=f"worker {number}", ru=f"воркер {number}") for number in workers]
        self.trace = Trace([MAIN, *lanes]) if lanes else None
        for worker, changes, result in self.events:
            lane = lanes[workers.index(worker)]
            for name, value in changes.items():
                self.trace.add(lane, "writes", name, value)
            self.trace.add(lane, "returns", "", result)
        if self.trace:
            self.trace.add(MAIN, "returns", "", found)
        return found


class Answer(Future):
    """A future that notes how many tasks there were when the first result was asked for."""

    def result(self, timeout=None):
        count = Count.current
        if count.submitted_at_first_result is None and not count.is_calling_back:
            count.submitted_at_first_result = count.submitted
        return super().result(timeout)

    def add_done_callback(self, function):
        """Call the function at once, for the task is done; its asking for the result waits for nobody."""
        count = Count.current
        count.is_calling_back = True
        super().add_done_callback(function)
        count.is_calling_back = False


class Workers(Executor):
    """A pool of processes that does its tasks in turn: all in one, or each in a fresh one."""

    def __init__(self, max_workers=None, mp_context=None, initializer=None, initargs=(), **_):
        del max_workers  # they take turns
        self.context = mp_context or multiprocessing.get_context("spawn")
        self.initializer, self.initargs = initializer, initargs
        self.pools = []

    def submit(self, function, /, *arguments, **options):
        count = get_count()
        note_function(function)
        count.submitted += 1
        if not self.pools or not count.is_one_worker:
            self.pools.append(ProcessPoolExecutor(1, self.context, self.initializer, self.initargs))
        answer = Answer()
        try:
            result, changes = self.pools[-1].submit(act, function, arguments, options).result()
        except Exception as error:  # noqa: BLE001 - the program's own, for which it may ask
            answer.set_exception(error)
        else:
            count.events.append((len(self.pools), changes, repr(result)))
            answer.set_result(result)
        return answer

    def shutdown(self, wait=True, *, cancel_futures=False):
        for pool in self.pools:
            pool.shutdown(wait, cancel_futures=cancel_futures)


def get_count():
    """Return the count that goes on; there is none while the program is imported."""
    if Count.current is None:
        raise RuntimeError(say(
            en="code that starts processes belongs below if __name__ == \"__main__\":, or else each worker runs it again",
            ru="код, который запускает процессы, должен быть под if __name__ == \"__main__\":, иначе его запустит и каждый воркер",
        ))  # fmt: skip
    return Count.current


def act(function, arguments, options):
    """Do a task in a worker; return its result, and the globals that it has changed there."""
    before = list_globals(function)
    result = function(*arguments, **options)
    after = list_globals(function)
    return result, {name: value for name, value in after.items() if before.get(name) != value}


def list_globals(function):
    module = sys.modules.get(getattr(function, "__module__", None))
    if module is None or not hasattr(function, "__globals__"):
        return {}
    return {
        name: repr(value)
        for name, value in vars(module).items()
        if isinstance(value, PLAIN) and not name.startswith("__")
    }


def take_over_processes():
    """Let a program that is imported from now on have these workers, started afresh."""
    multiprocessing.set_start_method("spawn")
    multiprocessing.set_start_method = lambda *_, **__: None  # the program may say so, too
    concurrent.futures.ProcessPoolExecutor = Workers
    begin, start = multiprocessing.pool.Pool.__init__, BaseProcess.start

    def begin_pool(pool, processes=None, initializer=None, initargs=(), limit=None, context=None):
        processes, limit = (1, None) if get_count().is_one_worker else (processes, 1)
        begin(pool, processes, initializer, initargs, limit, context)

    def start_process(process):
        get_count().started += 1
        start(process)

    multiprocessing.pool.Pool.__init__, BaseProcess.start = begin_pool, start_process


if is_main():
    take_over_processes()  # before the program is imported


def find_fault(count, found, is_again):
    """Say what is wrong with a count that is over, or nothing."""
    if Count.is_in_thread:
        return say(en="worker processes are to count the words. Yours are threads of the main process: they share its memory, and its GIL",
                   ru="слова должны считать процессы-воркеры, а у вас это потоки главного процесса: память и GIL у них общие")  # fmt: skip
    if Count.is_counted_here and failures.results:
        return say(en="count ran in the main process, before submit got it: submit got its result instead of a function",
                   ru="count отработала в главном процессе, ещё до submit: та получила вместо функции её результат")  # fmt: skip
    if failures.futures:
        error = describe_error(failures.futures[0])
        return say(en=f"a task ended with {error}. count_all raised nothing and returned {found}",
                   ru=f"задача завершилась ошибкой {error}, а count_all не выбросила исключения и вернула {found}")  # fmt: skip
    if Count.is_counted_here or not count.started:
        return say(en="worker processes should count the words, but here the main process counts them itself",
                   ru="слова должны считать воркеры, а здесь их считает сам главный процесс")  # fmt: skip
    if found == WORDS:
        return ""
    if is_again:
        return say(en=f"it found {WORDS} words, as it should, but {found} when it counted the same texts again",
                   ru=f"сначала найдено {WORDS} слов, как и должно быть, но при повторном счёте тех же текстов — {found}")  # fmt: skip
    if count.is_one_worker:
        where = say(en="With one worker for all of them", ru="Когда все тексты у одного воркера")
    else:
        where = say(en="With a separate worker for each", ru="Когда у каждого текста свой воркер")
    return say(en=f"the texts have {WORDS} words. {where}, count_all returns {found}",
               ru=f"в текстах {WORDS} слов. {where}, count_all возвращает {found}")  # fmt: skip


def find_nested(error):
    """Return the name of a function that can't be pickled because of where it stands, or nothing."""
    if "pickle" not in (text := str(error)) and "local object" not in text:
        return ""
    names = re.findall(r"[\w.]*(?:<locals>|<lambda>)[\w.<>]*", text)
    return names[0] if names else ""


def describe_apart(found, program):
    """Say what it finds with a worker for each text, if that is another number."""
    try:
        apart = Count(is_one_worker=False).run(program)
    except Exception:  # noqa: BLE001 - the first fault is told already
        return ""
    if apart == found:
        return ""
    return say(en=f", and with a separate worker for each {apart}",
               ru=f", а когда у каждого свой — {apart}")  # fmt: skip


def check(program):
    together = Count(is_one_worker=True)
    for count, is_again in (
        (together, False),
        (Count(is_one_worker=True), True),
        (Count(is_one_worker=False), False),
    ):
        try:
            found = count.run(program)
        except Exception as error:
            if not (name := find_nested(error)):
                raise
            yield must(en=f"a worker imports the module and looks for {name} there by its name. Only what stands at the top level can be found: use a def there",
                       ru=f"воркер импортирует модуль и ищет {name} в нём по имени. Найдётся только то, что стоит на верхнем уровне модуля: поместите def туда")  # fmt: skip
            return
        if fault := find_fault(count, found, is_again):
            if count is together and found != WORDS and not is_again and together.started:
                fault += describe_apart(found, program)
            yield must(en=fault, ru=fault, trace=count.trace)
            return
    first, tasks = together.submitted_at_first_result, together.submitted
    if tasks == 1:
        yield should(en="all texts go to one worker as one task, so the other workers idle",
                     ru="все тексты уходят одному воркеру одной задачей, а остальные простаивают")  # fmt: skip
    elif first is not None and first < tasks:
        yield should(en=f"{first} of {tasks} tasks had been submitted when the first result was asked for, so the other workers idle",
                     ru=f"когда запросили первый результат, задач было отправлено {first} из {tasks}, и остальные воркеры простаивают")  # fmt: skip
    if together.events and all(result == "None" for _, _, result in together.events):
        yield remark(en="the tasks return nothing, so the total is in shared memory. Adding there is safe only with a lock (lesson 6)",
                     ru="задачи ничего не возвращают, значит, сумма в общей памяти. Прибавляйте к ней только под её блокировкой (урок 6)")  # fmt: skip
    yield praise(en="the total is right however the texts are shared out among the workers",
                 ru="сумма верна, как бы тексты ни распределились по воркерам")  # fmt: skip
