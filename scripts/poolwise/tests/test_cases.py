"""What people bring: each kind of case is answered by the command line as it should be.

The inputs are in ``cases/``. A loaded machine decides less, so no test wants a way to be suggested; what is
wrong must never be, and what goes wrong must be said.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

CASES = Path(__file__).with_name("cases")
POOLS = {
    "ThreadPoolExecutor": "threads",
    "ProcessPoolExecutor": "processes",
    "InterpreterPoolExecutor": "interpreters",
    "asyncio.Semaphore": "coroutines",
}
ORDERS = [{"name": f"order-{number}", "price": number + 1} for number in range(20)]
# Ways whose workers have their own copy of a module's variables.
ELSEWHERE = ("processes", "interpreters")
ANSWERED = (0, 3)  # statuses of an answer, and of one that isn't known


@dataclass(frozen=True)
class Answer:
    """What the command gave: its status and texts, and the JSON that it exported."""

    status: int
    text: str
    error: str
    facts: dict[str, Any]

    @property
    def verdict(self) -> str:
        return self.text.partition("\n")[0]

    @property
    def way(self) -> str:
        """The way that the program to paste takes; a loop needs none."""
        program = self.facts.get("program", "")
        return next((way for pool, way in POOLS.items() if f"{pool}(" in program), "loop")

    @property
    def workers(self) -> int:
        number = re.search(r"Executor\((\d+)\)|AT_ONCE = (\d+)", self.facts.get("program", ""))
        return int(number[1] or number[2]) if number else 1

    def find_faults(self, *ways: str) -> list[str]:
        """The faults of the tries in some ways, empty where there was none."""
        return [attempt["fault"] or "" for attempt in self.facts["tried"] if attempt["way"] in ways]


def each_case(quick: str, slow: str = "") -> pytest.MarkDecorator:
    """The names of cases, some of which are slow."""
    marked = (pytest.param(name, marks=pytest.mark.slow) for name in slow.split())
    return pytest.mark.parametrize("name", [*quick.split(), *marked])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the cases, which may write there."""
    copy = tmp_path / "cases"
    shutil.copytree(CASES, copy)
    monkeypatch.chdir(copy)
    return copy


def run(*arguments: str, seconds: float = 60.0) -> Answer:
    facts = Path("facts.json")
    command = [sys.executable, "-m", "poolwise", *arguments, "--export-json", str(facts)]
    done = subprocess.run(
        [*command, "--lang", "en"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=seconds,
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr
    exported = json.loads(facts.read_text(encoding="utf-8")) if facts.exists() else {}
    return Answer(done.returncode, done.stdout, done.stderr, exported)


def try_function(
    target: str, items: Iterable[object] | str = range(20), *options: str, budget: str = "4"
) -> Answer:
    if not isinstance(items, str):
        Path("items.json").write_text(json.dumps([*items]), encoding="utf-8")
        items = "items.json"
    times = ["--budget", budget, "--limit", "6", "--interpreters", "current"]
    return run("try", target, "--items", items, *times, *options)


def list_left(folder: Path) -> list[psutil.Process]:
    """The processes that still run in a folder."""
    return [
        process
        for process in psutil.process_iter(["cwd"])
        if process.info["cwd"] == str(folder.resolve()) and process.pid != os.getpid()
    ]


def assert_never(answer: Answer, wrong: Sequence[str]) -> None:
    """Check that wrong ways are neither suggested nor taken for right ones."""
    assert answer.status in ANSWERED, answer.error
    assert answer.way not in wrong, answer.text
    assert all(answer.find_faults(*wrong)), answer.text


@each_case(
    "page frame order numbers shared_buffer",
    "pages slotted secret namespace failure closure view kind zero decimal",
)
def test_wrong_results_that_print_like_right_ones_are_seen(folder, name):
    answer = try_function(f"hidden.py:{name}")
    if "the budget was too short" in answer.text:  # where other programs keep the cores busy
        answer = try_function(f"hidden.py:{name}", budget="20")
    assert_never(answer, ["threads"])


@each_case(
    "total append enrich closure add store.add",
    "note group count remember dig enrich_and_return keep attribute default",
)
def test_work_that_another_process_would_lose_stays_in_this_one(folder, name):
    assert_never(try_function(f"lost.py:{name}", ORDERS), ELSEWHERE)


@each_case(
    "memo counted client.get client.fetch not_a_number",
    "cached decorated logged jittered numbered shared_parts cycle local ask client.hand_over",
)
def test_what_no_result_depends_on_rules_nothing_out(folder, name):
    answer = try_function(f"fine.py:{name}")
    assert answer.status in ANSWERED, answer.error
    ways = ("threads", "coroutines") if "client." in name else ("threads", "processes")
    assert not any(answer.find_faults(*ways)), answer.text  # a client doesn't cross


@each_case("clock opened", "draw identifier address generator")
def test_results_that_cannot_be_compared_are_said_first(folder, name):
    answer = try_function(f"differs.py:{name}")
    assert answer.status == 3, answer.text
    assert answer.verdict.startswith("Not known")
    assert answer.way == "loop"


@each_case(
    "context folder seeded", "thread_local precision mask variable language limit timer captured"
)
def test_state_of_a_thread_or_of_the_whole_process_is_not_shared_in_silence(folder, name):
    answer = try_function(f"own.py:{name}")
    if name == "context" and sys.version_info >= (3, 14) and sys.flags.thread_inherit_context:
        pytest.skip("threads of this Python inherit the context")
    assert_never(answer, ["threads"])


@each_case("ask use_loop await_token queue_up share")
def test_what_coroutines_keep_between_calls_belongs_to_one_loop(folder, name):
    answer = try_function(f"kept.py:{name}")
    assert answer.status in ANSWERED, answer.error
    assert not any(answer.find_faults("loop", "coroutines")), answer.text


@each_case("sleep run mixed")
def test_a_coroutine_that_blocks_is_told_what_helps(folder, name):
    answer = try_function(f"blocking.py:{name}", budget="10")
    assert answer.way != "coroutines"
    assert "blocks the event loop" in answer.text


def test_a_coroutine_that_awaits_is_not_told_that_it_blocks(folder):
    assert "blocks the event loop" not in try_function("blocking.py:honest").text


@pytest.mark.parametrize(("name", "most"), [("answer", 8), ("fail", 5), ("drop", 3), ("fetch", 6)])
def test_a_service_gets_no_more_at_once_than_it_allows(folder, name, most):
    answer = try_function(f"service.py:{name}", range(40), budget="8")
    assert answer.status in ANSWERED, answer.error
    assert answer.workers <= most
    way = "coroutines" if name == "fetch" else "threads"
    tries = [attempt for attempt in answer.facts["tried"] if attempt["way"] == way]
    faults = {attempt["workers"]: attempt["fault"] for attempt in tries}
    assert all(faults[workers] for workers in faults if workers > most), answer.text
    assert not any(faults[workers] for workers in faults if workers <= most), answer.text
    assert max(faults) <= 64


def test_a_service_that_lets_others_wait_is_never_asked_by_more_than_it_serves(folder):
    answer = try_function("service.py:queue_up")
    assert answer.status in ANSWERED
    assert not any(answer.find_faults("threads"))


@pytest.mark.parametrize(
    ("target", "items", "options"),
    [
        ("arguments.py:area", [[3, 4]] * 12, ["--star"]),
        ("arguments.py:scaled", [{"width": 2}, {"width": 2, "depth": 3}] * 6, ["--star"]),
        ("arguments.py:total", [[1, 2, 3], [], [4]] * 4, ["--star"]),
        ("arguments.py:fetch", [["a", 80]] * 12, ["--star"]),
        ("arguments.py:distance", "arguments.py:make_points", []),
        ("arguments.py:area", "arguments.py:make_pairs", ["--star"]),
        ("arguments.py:measure", "arguments.py:make_sets", []),
        ("arguments.py:cleaner", range(12), []),
        ("arguments.py:Cleaner.make", range(12), []),
        ("shop/src/shop/prices.py:handle", range(12), []),
        ("shop/src/shop/deep/sizes.py:scale.weigh", range(12), []),
        ("shop/loose/tools/measure.py:handle", range(12), []),
    ],
)
def test_arguments_items_and_packages_of_every_form_are_tried(folder, target, items, options):
    answer = try_function(target, items, *options)
    assert answer.status in ANSWERED, answer.error
    assert not any(answer.find_faults("loop", "threads", "coroutines")), answer.text
    if answer.facts["program"]:
        place = Path(answer.text.partition("\nIn ")[2].partition(":\n")[0])
        program = place / "program_to_paste.py"
        program.write_text(answer.facts["program"], encoding="utf-8")
        done = subprocess.run(
            [sys.executable, program], cwd=place, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert len(done.stdout.splitlines()) >= 12


@pytest.mark.parametrize(
    ("target", "items", "remedy"),
    [
        ("arguments.py:area", [[3, 4]], "Pass --star"),
        ("arguments.py:Cleaner.clean", [1], "Name the method of one: cleaner.clean"),
        ("arguments.py:distance", [{"x": 1, "y": 2}], "--items work.py:make_items"),
        ("arguments.py:aera", [1], "Did you mean area?"),
        ("troubles.py:seventh", range(20), "seventh failed on item 8, 7: ValueError: seven."),
        ("troubles.py:leave", range(20), "leave failed on item 4, 3: SystemExit"),
        ("troubles.py:vanish", range(20), "ended Python"),
        ("troubles.py:ask", range(20), "EOFError"),
        ("troubles.py:deep", range(20), "RecursionError"),
        ("guard/leaves.py:handle", range(20), "SystemExit"),
        ("guard/reading.py:handle", range(20), "EOFError"),
        ("guard/pool.py:handle", range(20), "__name__"),
    ],
)
def test_what_fails_is_a_sentence_with_what_to_do(folder, target, items, remedy):
    answer = try_function(target, items)
    assert answer.status == 1, answer.text
    assert remedy in answer.error
    assert len(answer.error.strip().splitlines()) <= 2


@pytest.mark.parametrize(
    ("target", "place"),
    [
        ("troubles.py:hang", r"item 6 of 20 \(troubles.py, line \d+, in hang\)"),
        ("guard/server.py:handle", r"imported \(server.py, line \d+, in "),
    ],
)
def test_what_never_ends_is_stopped_and_where_it_was_is_said(folder, target, place):
    answer = try_function(target, range(20), "--limit", "2")
    assert answer.status == 1, answer.text
    assert re.search(place, answer.error)


@pytest.mark.parametrize(
    "name", ["guard/thread.py", "guard/leaving.py", "troubles.py:leave_thread"]
)
def test_an_answer_is_kept_where_python_cannot_end(folder, name):
    target = name if ":" in name else f"{name}:handle"
    answer = try_function(target, range(8), budget="10")
    assert answer.status in ANSWERED, answer.error


@pytest.mark.parametrize("target", ["guard/child.py:handle", "troubles.py:leave_child"])
def test_nothing_is_left_running(folder, target):
    try_function(target, range(6))
    assert not list_left(folder)


@each_case("chat closing strange nothing tiny large")
def test_what_a_function_prints_or_returns_breaks_nothing(folder, name):
    answer = try_function(f"troubles.py:{name}", range(12))
    assert answer.status in ANSWERED, answer.error
    assert len(answer.text) < 10_000
    assert not any(answer.find_faults("loop"))


def test_a_result_whose_state_cannot_be_had_is_said_first(folder):
    answer = try_function("troubles.py:unreadable")
    assert answer.status == 3
    assert answer.verdict.startswith("Not known")


def test_a_lock_that_cannot_cross_leaves_out_processes_and_says_what_helps(folder):
    answer = try_function("arguments.py:cleaner.clean")
    assert_never(answer, ["processes"])
    if answer.find_faults("processes"):  # there was time for them
        assert "def clean(item): return cleaner.clean(item)" in answer.text
    answer = try_function("arguments.py:use", "arguments.py:make_locks")
    assert_never(answer, ["processes"])


@each_case("write log rewrite insert")
def test_files_that_are_written_are_said_and_no_write_is_lost(folder, name):
    answer = try_function(f"files.py:{name}", budget="6")
    assert answer.status in ANSWERED, answer.error
    names = {"write": "page-", "log": "log.txt", "rewrite": "count.txt", "insert": "orders.db"}
    assert not answer.facts["rows"] or names[name] in answer.text
    if name == "insert":  # what has been written before changes no answer
        assert try_function(f"files.py:{name}").status in ANSWERED


def compare(*programs: str, options: Sequence[str] = ()) -> Answer:
    return run("compare", *programs, "--budget", "8", "--limit", "6", *options)


@pytest.mark.parametrize(
    ("program", "fault"),
    [
        ("runs/two_lines.py", "time"),
        ("runs/too_short.py", "time"),
        ("runs/too_long.py", "time"),
        ("runs/asks.py", "input"),
        ("runs/fails.py", "ValueError: three"),
        ("runs/unguarded.py", "__name__"),
        ("runs/untidy.py", "left"),
    ],
)
def test_a_program_that_cannot_be_compared_is_named_with_its_fault(folder, program, fault):
    answer = compare("runs/honest.py", program)
    assert answer.status == 1, answer.text
    assert program in answer.error
    assert fault in answer.error
    assert not list_left(folder)


def test_a_program_that_fails_leaves_the_others_in_the_comparison(folder):
    answer = compare("runs/plain.py", "runs/fails.py", "runs/tidy.py")
    assert answer.status in ANSWERED, answer.error
    assert "runs/fails.py" in answer.text + answer.error
    assert {row["name"] for row in answer.facts["rows"]} == {"runs/plain.py", "runs/tidy.py"}


@pytest.mark.parametrize(
    ("programs", "compared"),
    [
        (("runs/honest.py", "runs/honest.py"), "the times that they print"),
        (("runs/plain.py", "runs/tidy.py"), "whole runs"),
        (("runs/honest.py", "runs/other_form.py"), "whole runs"),
        (("runs/floods.py", "runs/plain.py"), "whole runs"),
    ],
)
def test_the_first_sentence_says_what_was_compared(folder, programs, compared):
    answer = compare(*programs)
    assert answer.status in ANSWERED, answer.error
    assert compared in answer.verdict
    assert len(answer.text) < 5_000
