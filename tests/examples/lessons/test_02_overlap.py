"""Lesson 2: which programs ask all services at once, and what the others hear."""

import pytest

from scripts.site.declare.lessons import LESSONS
from scripts.site.study.snippets import SNIPPETS
from tests.examples.conftest import run

NAME = "02-overlap"
SOLUTIONS = LESSONS / "solutions"
GIVEN = LESSONS.joinpath(f"{NAME}.py").read_text()
SOLVED = SOLUTIONS.joinpath(f"{NAME}.py").read_text()
START = "    for thread in threads:\n        thread.start()\n"
JOIN = "    for thread in threads:\n        thread.join()\n"
assert START in SOLVED
assert JOIN in SOLVED
POOL = """
from concurrent.futures import ThreadPoolExecutor, as_completed

def ask_all(ask, services):
    with ThreadPoolExecutor({size}) as pool:
        {asked}
"""
FUTURES = "futures = [pool.submit(ask, service) for service in services]\n        "
IN_ORDER = FUTURES + "return [future.result() for future in futures]"
AS_THEY_COME = FUTURES + "return [future.result() for future in as_completed(futures)]"
TASKS = """
import asyncio

def ask_all(ask, services):
    async def main():
        return await asyncio.gather(*(asyncio.to_thread(ask, service) for service in services))
    return asyncio.run(main())
"""
LAST_IN_CALLER = """
from threading import Thread

def ask_all(ask, services):
    answers = dict.fromkeys(services)
    def keep_answer(service):
        answers[service] = ask(service)
    *others, last = services
    threads = [Thread(target=keep_answer, args=(service,)) for service in others]
    for thread in threads:
        thread.start()
    keep_answer(last)
    for thread in threads:
        thread.join()
    return list(answers.values())
"""
BY_COMPREHENSION = SOLVED.replace(START, "    [thread.start() for thread in threads]\n")
SLEEPS = SOLVED.replace(
    JOIN, "    while any(thread.is_alive() for thread in threads):\n        sleep(0.01)\n"
)
APPENDS = (
    SOLVED.replace("answers = {}", "answers = []")
    .replace("answers[service] = ask(service)", "answers.append(ask(service))")
    .replace("[answers[service] for service in services]", "answers")
)
PROCESSES = """
from multiprocessing import Process

def ask_all(ask, services):
    answers = {}
    def keep_answer(service):
        answers[service] = ask(service)
    processes = [Process(target=keep_answer, args=(service,)) for service in services]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return [answers[service] for service in services]
"""
LATE = SOLVED.replace("Thread(target=keep_answer, args=(service,))", "Thread(target=lambda: keep_answer(services[-1]))")  # fmt: skip


def call_pool(asked: str, size: str = "len(services)") -> str:
    return POOL.format(asked=asked, size=size)


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        (SOLVED, ["praise"]),
        (BY_COMPREHENSION, ["praise"]),
        (LAST_IN_CALLER, ["praise"]),
        (SLEEPS, ["praise"]),
        (TASKS, ["praise"]),
        (call_pool("return list(pool.map(ask, services))"), ["remark", "praise"]),
        (call_pool("return pool.map(ask, services)"), ["remark", "praise"]),
        (call_pool(IN_ORDER, "32"), ["remark", "praise"]),
    ],
)
def test_what_asks_all_at_once_is_right(source: str, kinds: list[str], hear):
    assert [kind for kind, _ in hear(NAME, source)] == kinds


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (GIVEN, "1 of 3 requests had begun when none could go on. Each began when"),
        (
            "def ask_all(ask, services):\n    return [ask(service) for service in services]\n",
            "1 of 3 requests had begun when none could go on. The first ran in the thread that called",
        ),
        (
            SOLVED.replace("target=keep_answer, args=(service,)", "target=keep_answer(service)"),
            "1 of 3 requests had begun when none could go on. The first ran in the thread that called",
        ),
        (SOLVED.replace(".start()", ".run()").replace(JOIN, ""), "The first ran in the thread"),
        (call_pool(IN_ORDER, "2"), "2 of 3 requests had begun when none could go on"),
        (call_pool(IN_ORDER, "3"), "3 of 5 requests had begun when none could go on"),
        (SOLVED.replace(JOIN, ""), "ask_all went on when 0 of 3 services had answered"),
        (SOLVED.replace(JOIN, "    threads[-1].join()\n"), "services had answered"),
        (SOLVED.replace(JOIN, "    sleep(1.1)\n"), "It waited for 1.1 s, not until its threads"),
        (SOLVED.replace(".join()", ".join(2)"), "It waited for 6 s, not until its threads"),
        (GIVEN.replace("thread.join()", "sleep(1)"), "It waited for 3 s, not until its threads"),
        (SOLVED.replace(".start()", ".start()\n        sleep(1)"), "slept for 2 s before it had asked"),
        (SOLVED.replace("target=keep_answer", "target=ask"), "no answer was kept"),
        (SOLVED.replace(JOIN, "    threads[0].join()\n"), "services had answered"),
        (SOLVED.replace("in services]\n    for", "in services]\n    threads[0].start()\n    for"),
         "threads can only be started once"),
        (SOLVED.replace("return [answers", "[answers"), "but ask_all returned None"),
        (APPENDS, "but ask_all returned ['"),
        (call_pool(AS_THEY_COME), "but ask_all returned ['"),
        (LATE, "each service should be asked once, but these were asked: ['mail', 'mail', 'mail']"),
        (SOLVED.replace(START, ""), "cannot join thread before it is started"),
        (SOLVED.replace("(service,)", "(service)"),
         "3 threads ended with an error. The first is TypeError: "),
        (PROCESSES, "no service was asked in this process"),
        (call_pool("return list(pool.map(ask, services))").replace("Thread", "Process"),
         "no service was asked in this process"),
        ("def ask_each(ask, services):\n    pass\n", "keep the names of functions"),
    ],
)  # fmt: skip
def test_what_is_not_right_hears_why(source: str, reason: str, hear):
    [(kind, text)] = hear(NAME, source)
    assert kind == "must"
    assert reason in text


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (GIVEN, "запросов начато 1 из 3, и ни один не мог продолжаться. Каждый начинался"),
        (SOLVED.replace(JOIN, ""), "ответили не все сервисы: 0 из 3"),
    ],
)
def test_it_says_so_in_russian_too(source: str, reason: str, hear):
    [(kind, text)] = hear(NAME, source, "ru")
    assert kind == "must"
    assert reason in text


@pytest.mark.parametrize(
    ("snippet", "answers", "least_s"),
    [("lesson-overlap", 3, 1), ("lesson-overlap_joined", 3, 3), ("lesson-overlap_unjoined", 0, 0)],
)
def test_the_programs_of_the_page_print_what_it_says(snippet: str, answers: int, least_s: float):
    words = run(SNIPPETS, f"{snippet}.py", {}).stdout.split()
    assert int(words[0]) == answers
    assert float(words[3]) >= least_s
