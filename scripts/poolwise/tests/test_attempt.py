"""A function is called in each way in its own process, which says what came of it and where it is."""

import time

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
