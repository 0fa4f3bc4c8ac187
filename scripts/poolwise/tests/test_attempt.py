"""A function is called in each way in its own process, which says what came of it and where it is."""

import subprocess
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from attempts import make_folder
from poolwise import attempt


def test_threads_that_queue_more_than_they_run_tell_nothing_of_the_gil(monkeypatch):
    monkeypatch.setattr(attempt, "read_queued", time.perf_counter)
    assert attempt.find_blocked(lambda: time.sleep(0.01)) is None
    monkeypatch.setattr(attempt, "read_queued", lambda: 0.0)
    waited = attempt.find_blocked(lambda: time.sleep(0.01))
    assert waited is not None
    assert waited > 0.9


def probe(function: attempt.Function, folder: Path) -> dict[str, Any]:
    """Probe a function over three items in this process; gives its proof."""
    task: dict[str, Any] = {"way": "probe", "limit_s": 5.0, "folder": str(folder), "stage": ""}
    task |= {"module": __name__, "function": "handle"}
    stage: Any = SimpleNamespace(enter=lambda *_: None, count=lambda _: None)
    work = attempt.Work(function, [1, 2, 3], task, stage)
    proof: dict[str, Any] = attempt.probe(work)["proof"]
    return proof


def test_an_object_that_each_call_returns_proves_nothing_if_the_next_one_overwrites_it(tmp_path):
    row: list[int] = []
    constant = ["always the same"]

    def overwrite(item: int) -> list[int]:
        row[:] = [item]
        return row

    assert probe(overwrite, tmp_path)["overwritten"] == "list"
    assert probe(lambda _: constant, tmp_path)["overwritten"] == ""
    assert probe(lambda item: [item], tmp_path)["overwritten"] == ""


def test_a_pool_that_does_not_end_says_how_many_results_were_there(tmp_path):
    source = "def handle(n):\n    time.sleep(99 * (n == 7))\n"
    folder = make_folder(tmp_path, source, limit_s=4.0)
    with pytest.raises(subprocess.TimeoutExpired):
        folder.attempt("threads", workers=4)
    assert "7 of 8 results" in folder.say_stage()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import threading\nthreading.Thread(target=time.sleep, args=(99,), name='poll').start()\n", "poll"),
        ("import atexit\natexit.register(time.sleep, 99)\n", "at exit"),
    ],
)  # fmt: skip
def test_a_result_is_not_lost_because_python_cannot_end(tmp_path, source, said):
    folder = make_folder(tmp_path, source + "def handle(n):\n    return n\n")
    assert len(folder.prove("loop").results) == 8
    assert said in folder.say_stage()


@pytest.mark.parametrize(
    "start",
    [
        "with ProcessPoolExecutor(2) as pool:\n    print(list(pool.map(handle, [1, 2])))\n",
        "multiprocessing.Pool(2).map(handle, [1, 2])\n",
        "multiprocessing.Process(target=handle, args=(1,)).start()\n",
    ],
)
def test_a_module_that_starts_processes_at_import_is_refused_at_once(tmp_path, start):
    imports = "import multiprocessing\nfrom concurrent.futures import ProcessPoolExecutor\n"
    folder = make_folder(tmp_path, f"{imports}def handle(n):\n    return n\n\n{start}")
    assert folder.attempt("loop")["fault"]["key"] == "attempt.starts-processes"


@pytest.mark.parametrize("way", ["loop", "threads", "processes"])
@pytest.mark.parametrize("items", [[[1, 2], [3, 4]], [[1], [3, 4]], [{"a": 1, "b": 2}] * 2])
def test_an_item_can_be_spread_over_arguments(tmp_path, way, items):
    folder = make_folder(tmp_path, "def handle(a, b=5):\n    return a + b\n", items=items)
    loop = folder.attempt("loop", is_spread=True)
    assert folder.attempt(way, 2, is_spread=True)["proof"]["texts"] == loop["proof"]["texts"]


@pytest.mark.parametrize("name", ["json", "queue", "statistics", "asyncio", "multiprocessing"])
@pytest.mark.parametrize("way", ["probe", "threads", "processes"])
def test_a_file_of_the_users_that_is_named_like_a_module_does_no_harm(tmp_path, name, way):
    folder = make_folder(tmp_path, "def handle(n):\n    return n\n")
    (folder.path / f"{name}.py").write_text("raise SystemExit('the wrong one')\n")
    assert folder.prove(way, 2).count == 8
