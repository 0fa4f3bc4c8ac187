"""A function is called in each way in its own process, which says what came of it and where it is."""

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from poolwise import attempt


def test_threads_that_queue_more_than_they_run_tell_nothing_of_the_gil(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(attempt, "read_queued", time.perf_counter)
    assert attempt.find_blocked(lambda: time.sleep(0.01)) is None
    monkeypatch.setattr(attempt, "read_queued", lambda: 0.0)
    waited = attempt.find_blocked(lambda: time.sleep(0.01))
    assert waited is not None
    assert waited > 0.9


def probe(function: attempt.Function, folder: Path) -> dict[str, Any]:
    """Probe a function over three items in this process; gives its proof."""
    task = {"way": "probe", "limit_s": 5.0, "folder": str(folder), "module": __name__}
    stage: Any = SimpleNamespace(enter=lambda *_: None, count=lambda _: None)
    work = attempt.Work(function, [1, 2, 3], task, stage)
    proof: dict[str, Any] = attempt.probe(work)["proof"]
    return proof


def test_an_object_that_each_call_returns_proves_nothing_if_the_next_one_overwrites_it(
    tmp_path: Path,
) -> None:
    row: list[int] = []
    constant = ["always the same"]

    def overwrite(item: int) -> list[int]:
        row[:] = [item]
        return row

    assert probe(overwrite, tmp_path)["overwritten"] == "list"
    assert probe(lambda _: constant, tmp_path)["overwritten"] == ""
    assert probe(lambda item: [item], tmp_path)["overwritten"] == ""
