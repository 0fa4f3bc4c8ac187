"""What a program to fix loses without a word: errors of threads, calls never awaited."""

import gc
import threading
import traceback
import warnings
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor

from checks.remarks import say

set_exception, submit = Future.set_exception, ThreadPoolExecutor.submit


class Failures:
    """What was lost: ``threads`` and ``futures`` have errors, ``unawaited`` names by their number.

    ``results`` has what was given to a pool in place of a function: the result of a call.
    """

    def __init__(self):
        self.path = None  # of the program
        self.clear()

    def clear(self):
        self.threads, self.futures, self.results = [], [], []
        self.unawaited = Counter()

    def count_unawaited(self, name=None):
        """Return how often a function was called and never awaited; any, if it has no name."""
        gc.collect()  # a coroutine is only known to be lost when nothing holds it
        return self.unawaited[name] if name else self.unawaited.total()


failures = Failures()


def take_over(path):
    """Note what threads, futures and coroutines of the program in a file lose from now on."""
    failures.path = path
    threading.excepthook = lambda details: failures.threads.append(details.exc_value)
    Future.set_exception = keep_exception
    ThreadPoolExecutor.submit = keep_result
    warnings.simplefilter("always", RuntimeWarning)
    warnings.showwarning = keep_warning


def keep_exception(future, exception):
    failures.futures.append(exception)
    set_exception(future, exception)


def keep_result(pool, function, /, *arguments, **options):
    note_function(function)
    return submit(pool, function, *arguments, **options)


def note_function(function):
    """Note what was given in place of a function, if it is none."""
    if not callable(function):
        failures.results.append(function)


def keep_warning(message, *_, **__):
    text = str(message)
    if text.startswith("coroutine '") and text.endswith("was never awaited"):
        failures.unawaited[text.split("'")[1].rpartition(".")[2]] += 1


def describe_error(error):
    """Return the type of an error, what it says, and the last line of the program that it passed."""
    text = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    line = find_line(error)
    return say(en=f"{text} (line {line})", ru=f"{text} (строка {line})") if line else text


def find_line(error):
    steps = traceback.extract_tb(error.__traceback__)
    lines = [step.lineno for step in steps if failures.path and step.filename == str(failures.path)]
    return lines[-1] if lines else None


def describe_threads():
    """Say which error ended threads of the program, or nothing."""
    if not failures.threads:
        return ""
    number, error = len(failures.threads), describe_error(failures.threads[0])
    if number == 1:
        return say(en=f"a thread ended with {error}", ru=f"поток завершился ошибкой {error}")
    if len({describe_error(error) for error in failures.threads}) > 1:
        return say(en=f"{number} threads ended with an error. The first is {error}",
                   ru=f"потоки завершились ошибкой, их {number}. Первая: {error}")  # fmt: skip
    return say(en=f"{number} threads ended with {error}",
               ru=f"потоки завершились ошибкой, их {number}: {error}")  # fmt: skip


def describe_unawaited():
    """Say which function was called and never awaited, or nothing."""
    failures.count_unawaited()
    for name, number in failures.unawaited.most_common(1):
        calls = (
            ""
            if number == 1
            else say(en=f" {number} times", ru=f" {number} раз{'а' * (number in (2, 3, 4))}")
        )
        return say(en=f"{name}(…) was called{calls} and never awaited. Such a call alone begins nothing",
                   ru=f"{name}(…) вызвали{calls}, но не дождались через await. Сам такой вызов ничего не начинает")  # fmt: skip
    return ""
