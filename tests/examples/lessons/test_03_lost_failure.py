"""Lesson 3: which programs lose no failure, and what the others hear."""

import pytest

from scripts.site.declare.lessons import LESSONS
from scripts.site.study.snippets import SNIPPETS
from tests.examples.conftest import run

NAME = "03-lost_failure"
SOLUTIONS = LESSONS / "solutions"
GIVEN = LESSONS.joinpath(f"{NAME}.py").read_text(encoding="utf-8")
SOLVED = SOLUTIONS.joinpath(f"{NAME}.py").read_text(encoding="utf-8")
IMPORTS = """
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from threading import Semaphore, Thread

"""
POOL = "with ThreadPoolExecutor(3) as pool:"


def write(body: str) -> str:
    """Return a program whose function has these lines."""
    lines = body.strip("\n").split("\n")
    return IMPORTS + "\n".join(["def save_all(save, names):", *(f"    {line}" for line in lines)])


FUTURES = f"""
{POOL}
    futures = [pool.submit(save, name) for name in names]
return [future.result() for future in futures]
"""
TUPLE = f"""
{POOL}
    return tuple(pool.map(save, names))
"""
FILLED = f"""
sizes = []
{POOL}
    for size in pool.map(save, names):
        sizes.append(size)
return sizes
"""
ASKED = f"""
{POOL}
    futures = [pool.submit(save, name) for name in names]
for future in futures:
    if future.exception():
        raise future.exception()
return [future.result() for future in futures]
"""
ALL_TOLD = f"""
{POOL}
    futures = [pool.submit(save, name) for name in names]
errors = [future.exception() for future in futures if future.exception()]
if errors:
    raise ExceptionGroup("not saved", errors)
return [future.result() for future in futures]
"""
THREADS = """
free, sizes, errors = Semaphore(3), {}, []

def save_one(name):
    with free:
        try:
            sizes[name] = save(name)
        except OSError as error:
            errors.append(error)

threads = [Thread(target=save_one, args=[name]) for name in names]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if errors:
    raise errors[0]
return [sizes[name] for name in names]
"""
PORTIONS = f"""
sizes = []
for first in range(0, len(names), 3):
    {POOL}
        sizes += pool.map(save, names[first:first + 3])
return sizes
"""
OTHER_ERROR = f"""
{POOL}
    futures = [pool.submit(save, name) for name in names]
if any(future.exception() for future in futures):
    raise RuntimeError("a save failed")
return [future.result() for future in futures]
"""
CHAINED = f"""
try:
    {POOL}
        return list(pool.map(save, names))
except OSError as error:
    raise RuntimeError("a save failed") from error
"""

ITERATOR = f"""
{POOL}
    return pool.map(save, names)
"""
PRINTED = f"""
sizes = []
{POOL}
    futures = [pool.submit(save, name) for name in names]
for future in futures:
    try:
        sizes.append(future.result())
    except OSError as error:
        print(error)
return sizes
"""
ONE_ASKED = f"""
{POOL}
    futures = [pool.submit(save, name) for name in names]
futures[-1].result()
return [future.result() for future in futures if not future.exception()]
"""
AS_READY = f"""
{POOL}
    futures = [pool.submit(save, name) for name in names]
    return [future.result() for future in as_completed(futures)]
"""
SORTED = AS_READY.replace("return [", "return sorted([").replace("(futures)]", "(futures)])")
ONE_BY_ONE = f"""
{POOL}
    return [pool.submit(save, name).result() for name in names]
"""
LOOP = "return [save(name) for name in names]"
TWO = TUPLE.replace("(3)", "(2)")
TOO_MANY = TUPLE.replace("(3)", "(20)")
PROCESSES = TUPLE.replace("Thread", "Process")
NESTED_PROCESSES = f"""
def save_one(name):
    sizes.append(save(name))

sizes = []
{POOL.replace("Thread", "Process")}
    for name in names:
        pool.submit(save_one, name)
return sizes
"""
GIVES_RESULT = FUTURES.replace("submit(save, name)", "submit(save(name))")
NO_ARGUMENT = f"""
{POOL}
    for name in names:
        pool.submit(save)
return []
"""
BARE_THREADS = """
threads = [Thread(target=lambda name=name: save(name)) for name in names]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
return []
"""
NOT_AWAITED = """
pool = ThreadPoolExecutor(3)
futures = [pool.submit(save, name) for name in names]
return futures
"""


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        (SOLVED, ["praise", "remark"]),
        (write(FUTURES), ["praise", "remark"]),
        (write(TUPLE), ["praise", "remark"]),
        (write(FILLED), ["praise", "remark"]),
        (write(ASKED), ["praise", "remark"]),
        (write(THREADS), ["praise", "remark"]),
        (write(PORTIONS), ["praise", "remark"]),
        (write(CHAINED), ["praise", "remark"]),
        (write(ALL_TOLD), ["praise"]),
        (write(OTHER_ERROR), ["should", "praise", "remark"]),
    ],
)
def test_a_program_that_loses_nothing_is_right(hear, source: str, kinds: list[str]):
    assert [kind for kind, _ in hear(NAME, source)] == kinds


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (GIVEN, "sea.txt could not be saved, and save_all raised nothing. It returned ["),
        (write(ITERATOR), "and the exception waits in there until you read the results"),
        (write(PRINTED), "sea.txt could not be saved, and save_all raised nothing"),
        (write(ONE_ASKED), "sea.txt could not be saved, and save_all raised nothing"),
        (write(AS_READY), "in the order of the names the sizes are [7, 5, 10, 6, 9, 8], and"),
        (write(SORTED), "in the order of the names the sizes are [7, 5, 10, 6, 9, 8], and"),
        (write(ONE_BY_ONE), "1 of 3 saves had begun when none could go on. Each began when"),
        (write(LOOP), "1 of 3 saves had begun when none could go on. All ran in the thread"),
        (write(GIVES_RESULT), "submit got 7 instead of a function. save had run before"),
        (write(NO_ARGUMENT), "A future keeps the reason: TypeError: "),
        (write(BARE_THREADS), "a thread ended with OSError: no room for sea.txt (line 6). sea.txt"),
        (write(TWO), "2 of 3 saves had begun when none could go on"),
        (write(TOO_MANY), "at most 3 saves at once, and here 6 ran at once"),
        (write(PROCESSES), "save can't be sent to another process"),
        (write(NESTED_PROCESSES), "save_all returned when 0 of 6 files were saved"),
        (write(NOT_AWAITED), "save_all raised nothing. It returned"),
        (write("return save(nmes)"), "line 6: NameError: name 'nmes' is not defined"),
        ("def save(): ...", "keep the names of functions and classes: "),
    ],
)
def test_of_any_other_the_reason_is_told(hear, source: str, reason: str):
    ((kind, text),) = hear(NAME, source)
    assert kind == "must"
    assert reason in text


def test_the_reason_is_told_in_russian(hear):
    ((_, text),) = hear(NAME, write(TWO), "ru")
    assert text.startswith("сохранений начато 2 из 3, и ни одно не могло продолжаться")


def test_the_programs_of_the_page_print_what_it_says():
    printed = run(SNIPPETS, "lesson-pool-lost.py", {}).stdout
    assert printed == "all pages loaded\ncaught: no page 7\n"
    pages, time = run(SNIPPETS, "lesson-pool.py", {}).stdout.splitlines()
    assert pages == "page 0, page 1, page 2 … page 11"
    assert float(time.split()[0]) >= 0.3
    lines = run(SNIPPETS, "lesson-pool-sizes.py", {}).stdout.splitlines()
    one, *others = [float(line.split()[2]) for line in lines]
    assert one >= 1.2
    assert min(others) >= 0.3
