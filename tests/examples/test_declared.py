"""What experiment.toml and originals.csv declare is what the code and the article give."""

import csv
import importlib.util
import re
import sys
from types import ModuleType

import pytest

from scripts.harness.experiment import Experiment, Program
from scripts.harness.paths import EXAMPLES
from tests.declared import EXPERIMENTS

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


def sort_pages(scale: float) -> list:
    """The thirty pages in the order the programs fetch them: all sites, then all again."""
    pages = load("server").make_pages(scale)
    return [pages[f"/site/{1 + i % 10}/{1 + i // 10}"] for i in range(30)]


@pytest.mark.parametrize("name", ["smoke", "quick", "full"])
def test_waits_and_results_are_those_of_pages_and_numbers(matrix: Experiment, name: str):
    profile = matrix.profiles[name]
    pages = sort_pages(float(profile.params["LATENCY_SCALE"]))
    waits, sizes = [page.latency_s for page in pages], [len(page.body) for page in pages]
    low, _ = map(int, profile.params["FIBONACCI"].split("-"))
    alone = profile.params | profile.family_params.get("cpu", {})
    least, most = map(int, alone["FIBONACCI"].split("-"))
    total = 3 * sum(fibonacci(n) for n in range(least, most + 1))

    assert profile.longest_wait_s == {
        "io": pytest.approx(max(waits), abs=1e-4),
        "io-tls": pytest.approx(max(waits), abs=1e-4),
        "io+cpu": pytest.approx(max(waits[:10]), abs=1e-4),
        "io+blocking": pytest.approx(2 * max(waits[:20]), abs=1e-4),
    }
    assert profile.results == {
        "io": f"30 pages, {sum(sizes)} bytes",
        "io-tls": f"30 pages, {sum(sizes)} bytes",
        "cpu": f"21 Fibonacci numbers, sum {total}",
        "io+cpu": f"10 pages, {sum(sizes[:10])} bytes, Fibonacci sum {10 * fibonacci(low + 4)}",
        "io+blocking": f"20 pages twice, {2 * sum(sizes[:20])} bytes",
    }


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
    "threads": r"\bThread|to_thread",
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
