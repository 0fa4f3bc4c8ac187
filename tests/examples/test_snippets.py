"""The short programs of the pages print what the text around them says."""

import asyncio
import os
import re
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import BoundedSemaphore

import pytest

from poolwise.experiment import find_newer_python
from poolwise.pythons import rank_interpreter
from scripts.site.paths import DOCS, EXAMPLES, RESULTS
from scripts.site.study.snippets import SNIPPETS, list_snippets, read_printed
from tests.examples.conftest import run

CORES = 8
ANSWER_S = 180
"""No program here waits for anything; what has not ended by then hangs."""
PRINTED = {
    "asyncio-references": "kept: 1\nkept: 0\n",
    "asyncio-task_group": "[0, 1, 2]\n",
    "asyncio-timeout": "b'no answer'\n",
    "bound-profile": "perf_counter sees the wait\nprocess_time does not see the wait\n",
    "concurrency-executors": "[10946, 17711, 28657, 46368]\n" * 2,
    "free_threading-interpreters": "[1, 1, 2, 6, 24, 120, 720, 5040]\n",
    "free_threading-iterator": f"{sum(n * n for n in range(1000))}\n",
    "gil-interval": "0.005 seconds\n",
    "gil-lock": "sold: 1 left: 0\n",
    "lesson-pool-lost": "all pages loaded\ncaught: no page 7\n",
    "lesson-processes": "worker process: 6\nmain process: 10\n",
    "lesson-races": "stock: 6\n",
    "lesson-races_lock": "take_half_locked: 6\ntake_locked: 2\n",
    "multitasking-race": "balance: -100\n",
    "multitasking-turns": "a 0\nb 0\na 1\nb 1\na 2\nb 2\n",
    "pools-exceptions": "all is well\n",
    "processes-spawn": "[0, 1, 4, 9, 16]\n",
    "questions-shutdown": "finished what was begun\n",
    "queues-cleanup": "done: first\nfor next time: ['second', 'third']\n",
    "queues-places": "1000 answers, never more than 100 tasks\n",
    "queues-refuse": "first is taken\nsecond is taken\nthird is refused: come again later\n",
    "queues-retry": "the answer: 42\n",
    "scripts-commands": "0 done\n1 no such file\nNone took too long\n",
    "scripts-files": "2,000 files, 5 different contents\n",
    "scripts-test_races": "Without a lock: two threads got different tables\n"
    "With a lock: no race found\n",
    "synchronisation-barrier": "[110, 101, 11]\n",
    "synchronisation-condition": "".join(f"took {number}\n" for number in range(5)),
    "synchronisation-livelock": "['100 attempts, never both', '100 attempts, never both']\n",
    "synchronisation-queue": f"{[n * n for n in range(10)]}\n",
    "synchronisation-rlock": "Lock, taken a second time: False\nRLock, taken a second time: True\n",
    "waiting-non_blocking": "nothing to read yet\nb'answer'\n",
    "waiting-small_loop": "Ann waits\nBob waits\nBob reads b'begin'\n"
    "Ann reads b'greetings from Bob'\n",
    "threads-exceptions": "caught: invalid literal for int() with base 10: 'seven'\n",
}

NEEDS = list_snippets()


@pytest.mark.parametrize("name", PRINTED)
def test_a_snippet_prints_what_its_page_says(name: str):
    skip_older(NEEDS[name].since)
    done = run(SNIPPETS, f"{name}.py", {})
    assert done.stdout == PRINTED[name]
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("name", "shape", "least_s"),
    [
        ("lesson-overlap", "3 answers after # s\n", [1]),
        ("lesson-overlap_joined", "3 answers after # s\n", [3]),
        ("lesson-overlap_unjoined", "0 answers after # s\n", [0]),
        ("lesson-pool", "page 0, page 1, page 2 … page 11\n# s\n", [0.3]),
        ("lesson-pool-sizes", r"(?:threads: \d+, # s\n){4}", [1.2, 0.3, 0.3, 0.3]),
    ],
)
def test_a_snippet_takes_as_long_as_its_waits(name: str, shape: str, least_s: list[float]):
    printed = run(SNIPPETS, f"{name}.py", {}).stdout
    assert re.fullmatch(shape.replace("#", r"\d+\.\d"), printed)
    took_s = [float(number) for number in re.findall(r"(\S+) s\n", printed)]
    assert all(took >= least for took, least in zip(took_s, least_s, strict=True))


def test_two_who_take_locks_crosswise_do_not_both_get_them():
    done = run(SNIPPETS, "synchronisation-lock_order.py", {})
    assert "waited in vain" in done.stdout


def test_a_worker_of_a_notebook_finds_functions_of_modules_only():
    done = run(SNIPPETS, "scripts-notebook.py", {})
    assert re.search(r"^In a cell: AttributeError: .*attribute 'double'", done.stdout)
    assert done.stdout.endswith("In work.py: [2, 4, 6]\n")


def test_of_two_who_wait_for_each_other_a_dump_tells_where_each_stands():
    done = run(SNIPPETS, "races-deadlock.py", {})
    lines = read_snippet("races-deadlock").splitlines()
    for function, lock in (("transfer", "journal"), ("audit", "accounts")):
        places = [n for n, line in enumerate(lines, 1) if line == f"        with {lock}:"]
        assert f"line {places[0]} in {function}" in done.stdout


def test_of_two_tasks_that_wait_for_each_other_a_call_graph_tells_where_each_stands():
    skip_older(NEEDS["races-deadlock_asyncio"].since)
    done = run(SNIPPETS, "races-deadlock_asyncio.py", {})
    assert done.stdout.count("async take()") == 2


def skip_older(since: str) -> None:
    """Skip a test that takes a newer Python than this one."""
    if find_newer_python(since, sys.version_info[:2]):
        pytest.skip(f"needs Python {since}")


def read_snippet(name: str) -> str:
    return (SNIPPETS / f"{name}.py").read_text(encoding="utf-8")


def define(source: str, **names: object) -> dict[str, object]:
    """What the source defines, with other values for some of its names."""
    defined: dict[str, object] = {"__name__": "snippet"}
    exec(source, defined)
    defined.update(names)
    return defined


@pytest.mark.parametrize(
    ("program", "function"),
    [
        ("mistakes/11b-cpu_count", "usable_cores"),
        ("snippets/containers-cores", "usable_cores"),
        ("answers/07-how_many_workers", "count_cores"),
    ],
)
@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({}, CORES),
        ({"cpu.max": "max 100000\n"}, CORES),
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "10000 100000\n"}, 1),
        ({"cpu.max": "1600000 100000\n"}, CORES),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, CORES),
        ({"cpu/cpu.cfs_quota_us": "200000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 2),
    ],
)
def test_the_quota_of_either_version_limits_the_cores(
    program: str, function: str, files: dict[str, str], cores: int, tmp_path: Path, monkeypatch
):
    source = (EXAMPLES / f"{program}.py").read_text(encoding="utf-8").partition("\nprint")[0]
    (tmp_path / "cpu").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(CORES)), raising=False)
    monkeypatch.setattr(os, "process_cpu_count", lambda: CORES, raising=False)
    assert define(source, GROUP=tmp_path)[function]() == cores


def test_a_task_that_no_pool_takes_gives_its_place_back():
    room = BoundedSemaphore(1)
    snippet = define(read_snippet("pools-backpressure"), room=room)
    pool = ThreadPoolExecutor(1)
    assert snippet["submit"](pool, int, "7").result() == 7
    pool.shutdown()
    with pytest.raises(RuntimeError, match="shutdown"):
        snippet["submit"](pool, int, "7")
    assert room.acquire(blocking=False)


def shut_down(serve, deadline_s: float) -> None:
    """Run the service of the page about shutting down, with what it serves and another deadline."""
    main = define(read_snippet("questions-shutdown"), serve=serve, DEADLINE_S=deadline_s)["main"]
    asyncio.run(asyncio.wait_for(main(), ANSWER_S))


def test_a_service_whose_server_has_failed_says_so():
    async def serve(_: asyncio.Event) -> None:
        raise OSError("no port is free")

    with pytest.raises(ExceptionGroup) as caught:
        shut_down(serve, ANSWER_S)
    assert caught.group_contains(OSError, match="no port is free")


@pytest.mark.parametrize(("deadline_s", "ended"), [(ANSWER_S, "finished"), (0.01, "cancelled")])
def test_what_a_service_has_begun_it_finishes_or_cancels_at_the_deadline(
    deadline_s: float, ended: str
):
    told = []

    async def serve(stop: asyncio.Event) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        await stop.wait()
        try:
            await asyncio.sleep(0.1)
        except asyncio.CancelledError:
            told.append("cancelled")
            raise
        told.append("finished")

    shut_down(serve, deadline_s)
    assert told == [ended]


HEADING = re.compile(r"^### (`[^`\n]*`[^\n]*) \{#([\w-]+)\}$", re.MULTILINE)
MESSAGES = re.findall(
    r"^### `([^`\n]*)`[^\n]* \{#([\w-]+)\}$((?:(?!^##).)*?)"
    r'show\.(?:snippet\("|output\("mistakes", ")([\w-]+)"',
    "".join(path.read_text(encoding="utf-8") for path in DOCS.glob("en/messages/*.md")),
    re.MULTILINE | re.DOTALL,
)
"""Of each message its text, its id, what the page says of it, and the program that prints it."""
NEWER = {"no-attribute", "not-awaitable", "pickle-lambda"}
"""The messages that read otherwise before Python 3.14: the page says how."""
READ = re.compile(
    r"^\*(?:Not run here\. Read|Здесь не запускалось\. Прочитано) .*\]\(https://", re.MULTILINE
)
"""What stands for a program below a message that needs another system or a server."""


@pytest.mark.parametrize("page", [path.stem for path in DOCS.glob("en/messages/*.md")])
def test_every_message_has_its_program_or_source_and_is_the_same_in_every_language(page: str):
    texts = [path.read_text(encoding="utf-8") for path in DOCS.glob(f"*/messages/{page}.md")]
    ids = [[id_ for _, id_ in HEADING.findall(text)] for text in texts]
    assert all(other == ids[0] for other in ids)
    for text in texts:
        for part in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
            assert ("```python" in part) != bool(READ.search(part)), part


def test_the_index_of_messages_lists_each_with_its_text_in_every_language():
    for language in ("en", "ru"):
        folder = DOCS / language
        index = re.findall(
            r"^- \[(`.*)\]\(messages/(.*)\)$", (folder / "messages.md").read_text(), re.MULTILINE
        )
        headings = {
            (text, f"{path.name}#{id_}")
            for path in folder.glob("messages/*.md")
            for text, id_ in HEADING.findall(path.read_text(encoding="utf-8"))
        }
        assert set(index) == headings
        assert len(index) == len(headings)


@pytest.mark.parametrize(("message", "id_", "text", "program"), MESSAGES)
def test_a_program_prints_the_message_above_it(message: str, id_: str, text: str, program: str):
    folder = SNIPPETS if program in NEEDS else EXAMPLES / "mistakes"
    if folder == SNIPPETS:
        skip_older(NEEDS[program].since)
    done = run(folder, f"{program}.py", {})
    assert folder != SNIPPETS or done.returncode == 0, done.stderr
    wordings = [message]
    if id_ in NEWER and sys.version_info < (3, 14):
        wordings = [wording for wording in re.findall("`([^`]*)`", text) if " " in wording]
    printed = done.stdout + done.stderr
    assert any(stands_in(wording, printed) for wording in wordings)


def test_of_a_message_what_is_recorded_of_a_newer_python_has_the_text_above_it():
    messages = {program: message for message, *_, program in MESSAGES}
    for record in read_printed(RESULTS):
        is_newer = rank_interpreter(record.python)[1].minor >= 14
        if record.snippet in messages and is_newer and record.is_current:
            assert stands_in(messages[record.snippet], record.text), record


def stands_in(wording: str, printed: str) -> bool:
    """Tell whether all that is written out of a message was printed, however its lines are broken."""
    text = " ".join(printed.split())
    return all(part.strip() in text for part in wording.split("…"))
