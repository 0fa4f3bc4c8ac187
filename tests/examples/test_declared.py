"""What experiment.toml and originals.csv declare is what the code and the article give."""

import csv
import importlib.util
import json
import re
import sys
from types import ModuleType

import pytest

from poolwise.dependencies import reduce_code
from poolwise.experiment import Experiment, Profile, Program
from scripts.site.paths import EXAMPLES
from tests.declared import DECLARED, EXPERIMENTS

WALL_TOTALS = {"10": 113.07, "2": 147.55, "1": 127.94}
"""Of the article's wall times, by core count."""


def load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.replace("/", "_"), EXAMPLES / f"{path}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def fibonacci(n: int) -> int:
    last, value = 0, 1
    for _ in range(n - 1):
        last, value = value, last + value
    return value


SHORTEST_WAIT_S = 0.05
"""As long as a reader's own waits; ``smoke`` only tries whether programs work."""
PROFILES = pytest.mark.parametrize("name", ["smoke", "quick", "full"])


def find_scale(profile: Profile) -> float:
    """By what the load server multiplies its latencies."""
    options = dict(zip(profile.server_args[::2], profile.server_args[1::2], strict=True))
    return float(options.get("--scale", "1"))


def list_tasks(experiment: Experiment, profile: Profile, name: str, family: str) -> set[int]:
    program = experiment.program(name)
    sweeps = profile.find_sweeps(name, family)
    return {tasks for sweep in sweeps for tasks in sweep.list_tasks(program)}


@PROFILES
def test_waits_and_results_are_those_of_pages_and_numbers(matrix: Experiment, name: str):
    profile = matrix.profiles[name]
    served = load("server").make_pages(find_scale(profile))
    waits: dict[str, list[float]] = {}
    sizes: dict[str, list[int]] = {}
    for family in ("io", "io-tls", "io+cpu", "io+blocking"):
        members = [one.name for one in matrix.programs if family in one.families]
        (count,) = set().union(*(list_tasks(matrix, profile, one, family) for one in members))
        # All sites once, then all again.
        pages = [served[f"/site/{1 + i % 10}/{1 + i // 10}"] for i in range(count)]
        waits[family] = [page.latency_s for page in pages]
        sizes[family] = [len(page.body) for page in pages]
    low, _ = map(int, profile.params["FIBONACCI"].split("-"))
    alone = profile.params | profile.family_params.get("cpu", {})
    least, most = map(int, alone["FIBONACCI"].split("-"))
    total = 3 * sum(fibonacci(n) for n in range(least, most + 1))
    longest_wait_s = {family: max(waits_s) for family, waits_s in waits.items()}
    longest_wait_s["io+blocking"] *= 2
    assert profile.longest_wait_s == pytest.approx(longest_wait_s, abs=1e-4)
    pages = {family: f"{len(own)} pages, {sum(own)} bytes" for family, own in sizes.items()}
    blocking = sizes["io+blocking"]
    assert profile.results == {
        "io": pages["io"],
        "io-tls": pages["io-tls"],
        "cpu": f"21 Fibonacci numbers, sum {total}",
        "io+cpu": f"{pages['io+cpu']}, Fibonacci sum {10 * fibonacci(low + 4)}",
        "io+blocking": f"{len(blocking)} pages twice, {2 * sum(blocking)} bytes",
    }
    shortest_wait_s = min(min(waits_s) for waits_s in waits.values())
    assert name == "smoke" or shortest_wait_s >= SHORTEST_WAIT_S


@PROFILES
def test_waits_and_results_are_those_of_the_days(name: str):
    tickets = DECLARED.experiments["tickets"]
    profile = tickets.profiles[name]
    served = load("server").make_tickets(find_scale(profile))
    for family in ("json", "json-tls", "html", "html-tls"):
        members = [one.name for one in tickets.programs if family in one.families]
        for count in set().union(*(list_tasks(tickets, profile, one, family) for one in members)):
            days = [served[f"/tickets/{day}.json"] for day in range(1, count + 1)]
            waits_s = [day.latency_s for day in days]
            buses = [bus["cents"] for day in days for bus in json.loads(day.body)["departures"]]
            expected = profile.find_result(family, count).format(tasks=count)
            assert expected == f"{count} days, cheapest {min(buses)}"
            assert profile.longest_wait_s.get(family, 0) <= max(waits_s)
            assert profile.task_wait_s[family] <= min(waits_s) + 1e-6
            assert name == "smoke" or min(waits_s) >= SHORTEST_WAIT_S
    assert name == "smoke" or profile.task_wait_s["bare"] >= SHORTEST_WAIT_S


def test_the_original_tables_are_complete_and_as_printed():
    with (EXAMPLES / "matrix" / "originals.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["mark"] for row in rows} == {"good", "middling", "bad"}
    assert len(rows) == 18 * len(WALL_TOTALS)
    for cores, total in WALL_TOTALS.items():
        these = [row for row in rows if row["cores"] == cores]
        assert len({row["program"] for row in these}) == len(these) == 18
        assert sum(float(row["wall_s"]) for row in these) == pytest.approx(total)


SIGNS = {
    "coroutines": r"\b(asyncio|uvloop|trio|anyio)\b",
    "greenlets": "gevent",
    "interpreters": r"\bInterpreterPool|\binterpreters\.create",
    "threads": r"\bThread|to_thread|sync_to_async|@app\.get\(.*\)\ndef ",
    "processes": r"\bProcess|\bPROCESSES\b|multiprocessing|\bserving\(\w+, .*WORKERS"
    r"|\bParallel\(|\bLocalCluster\b",
}
"""What the code of a kind uses."""


@pytest.mark.parametrize(
    ("experiment", "program"),
    [(experiment, program) for experiment in EXPERIMENTS for program in experiment.programs],
    ids=lambda one: one.name,
)
def test_a_declared_kind_is_that_of_the_code(experiment: Experiment, program: Program):
    code = (experiment.folder / program.file).read_text(encoding="utf-8")
    used = {kind for kind, sign in SIGNS.items() if re.search(sign, code.partition('"""\n')[2])}
    if "greenlets" in used:  # whose monkey patch makes greenlets of threads
        used -= {"threads"}
    if program.name == "07-io-async-sequential":  # awaits one page after another
        used = set()
    assert set(program.ways) == (used or {"sequential"})


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda one: one.name)
def test_the_oldest_python_can_read_every_program(experiment: Experiment):
    for name in {*experiment.shared, *(program.file for program in experiment.programs)}:
        code = (experiment.folder / name).read_text(encoding="utf-8")
        assert not name.endswith(".py") or reduce_code(code) != code, name
