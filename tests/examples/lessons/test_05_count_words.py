"""Lesson 5: which programs count in workers and get the total back, and what the others hear."""

import pytest

from scripts.site.declare.lessons import LESSONS
from scripts.site.study.snippets import SNIPPETS
from tests.examples.conftest import run

NAME = "05-count_words"
SOLUTIONS = LESSONS / "solutions"
GIVEN = LESSONS.joinpath(f"{NAME}.py").read_text(encoding="utf-8")
SOLVED = SOLUTIONS.joinpath(f"{NAME}.py").read_text(encoding="utf-8")
SUM = "return sum(pool.map(count, texts))"
POOL = "with ProcessPoolExecutor(2) as pool:\n        "
IMPORTS = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed

total = 0

def count(text):
    return len(text.split())
"""


def solve(counting: str) -> str:
    """Return our solution with another way to count all texts."""
    return SOLVED.replace(POOL + SUM, counting)


FUTURES = """futures = []
    with ProcessPoolExecutor(2) as pool:
        futures = [pool.submit(count, text) for text in texts]
    return sum(future.result() for future in futures)"""
ONE_BY_ONE = POOL + "return sum(pool.submit(count, text).result() for text in texts)"
SUMMED_IN_GLOBAL = f"""{IMPORTS}
def count_all(texts):
    global total
    with ProcessPoolExecutor() as pool:
        for words in pool.map(count, texts, chunksize=2):
            total += words
    return total
"""
COMPLETED = f"""{IMPORTS}
def count_all(texts):
    words = 0
    with ProcessPoolExecutor() as pool:
        for future in as_completed([pool.submit(count, text) for text in texts]):
            words += future.result()
    return words
"""
CALLED_BACK = f"""{IMPORTS}
def count_all(texts):
    found = []
    with ProcessPoolExecutor(2) as pool:
        for text in texts:
            pool.submit(count, text).add_done_callback(lambda task: found.append(task.result()))
    return sum(found)
"""
MANAGER = f"""{IMPORTS}
from functools import partial

def add(numbers, text):
    numbers.append(count(text))

def count_all(texts):
    with multiprocessing.Manager() as manager, ProcessPoolExecutor(2) as pool:
        numbers = manager.list()
        for _ in pool.map(partial(add, numbers), texts):
            pass
        return sum(numbers)
"""
OLD_POOL = f"""{IMPORTS}
def count_all(texts):
    with multiprocessing.Pool(2) as pool:
        return sum(pool.map(count, texts))
"""
SHARED = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Value

def begin(value):
    global total
    total = value

def count(text):
    with total.get_lock():
        total.value += len(text.split())

def count_all(texts):
    value = Value("q", 0)
    with ProcessPoolExecutor(2, initializer=begin, initargs=(value,)) as pool:
        list(pool.map(count, texts))
    return value.value
"""
VALUE_OF_THE_MODULE = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Value

total = Value("q", 0)

def count(text):
    with total.get_lock():
        total.value += len(text.split())

def count_all(texts):
    total.value = 0
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(count, texts))
    return total.value
"""
OWN_PROCESSES = """
from multiprocessing import Process, Queue

def count(text, answers):
    answers.put(len(text.split()))

def count_all(texts):
    answers = Queue()
    processes = [Process(target=count, args=(text, answers)) for text in texts]
    for process in processes:
        process.start()
    words = sum(answers.get() for _ in processes)
    for process in processes:
        process.join()
    return words
"""
WHOLE = f"""{IMPORTS}
def count_them(texts):
    return sum(map(count, texts))

def count_all(texts):
    with ProcessPoolExecutor(2) as pool:
        return pool.submit(count_them, texts).result()
"""
RUNNING_TOTAL = GIVEN.replace("+= len(text.split())", "+= len(text.split())\n    return total")
ASKED_AT_THE_END = f"""{GIVEN}
def get_total():
    return total

def count_all(texts):
    with ProcessPoolExecutor(1) as pool:
        list(pool.map(count, texts))
        return pool.submit(get_total).result()
"""


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        (SOLVED, ["praise"]),
        (solve(FUTURES), ["praise"]),
        (COMPLETED, ["praise"]),
        (OLD_POOL, ["praise"]),
        (CALLED_BACK, ["praise"]),
        (MANAGER, ["remark", "praise"]),
        (OWN_PROCESSES, ["praise"]),
        (SHARED, ["remark", "praise"]),
        (solve(ONE_BY_ONE), ["should", "praise"]),
        (WHOLE, ["should", "praise"]),
    ],
)
def test_a_program_that_gets_the_total_back_is_right(hear, source: str, kinds: list[str]):
    assert [kind for kind, _ in hear(NAME, source)] == kinds


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (GIVEN, "With one worker for all of them, count_all returns 0"),
        (RUNNING_TOTAL.replace("for _ in", "return sum(").replace(":\n            pass  #", ")  #"),
         "With one worker for all of them, count_all returns 14"),
        (RUNNING_TOTAL.replace("for _ in", "return max(").replace(":\n            pass  #", ")  #"),
         "With a separate worker for each, count_all returns 3"),
        (ASKED_AT_THE_END, "With a separate worker for each, count_all returns 0"),
        (SUMMED_IN_GLOBAL, "found 6 words, as it should, but 12 when"),
        (VALUE_OF_THE_MODULE, "With one worker for all of them, count_all returns 0"),
        (solve(FUTURES).replace("Process", "Thread"), "Yours are threads of the main process"),
        (solve("return sum(map(count, texts))"), "the main process counts them itself"),
        (SOLVED.replace('if __name__ == "__main__":', "if True:"), "belongs below if __name__"),
        (SOLVED.replace("count, texts", "lambda text: len(text.split()), texts"), "Only what stands at the top level"),
        (SOLVED.replace("count_all", "add_all"), "keep the names"),
    ],
)  # fmt: skip
def test_a_program_that_does_not_hears_why(hear, source: str, reason: str):
    ((kind, text),) = hear(NAME, source)
    assert kind == "must"
    assert reason in text


def test_what_is_wrong_is_said_in_russian(hear):
    ((_, text),) = hear(NAME, GIVEN, "ru")
    assert "Когда все тексты у одного воркера, count_all возвращает 0" in text


def test_the_program_of_the_page_changes_only_the_stock_of_the_worker():
    done = run(SNIPPETS, "lesson-processes.py", {})
    assert (done.stdout, done.stderr) == ("the worker's stock: 6\nour stock: 10\n", "")
