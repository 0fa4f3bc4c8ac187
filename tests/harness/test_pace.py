"""The pace of cores is told against the best of each, and a trial slowed far beyond the usual is found."""

import os

import pytest

from scripts.harness import samplers
from scripts.harness.samplers import Pacer


def test_each_core_is_held_against_its_own_best(monkeypatch: pytest.MonkeyPatch) -> None:
    times_ns = iter((100, 50, 200, 50, 400, 25))
    monkeypatch.setattr(samplers, "time_work", lambda _: next(times_ns))
    one = Pacer()
    assert [one.read((0, 1)) for _ in range(3)] == [0, 0.25, 0.375]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no core can be chosen")
def test_a_reading_leaves_this_process_on_the_cores_that_it_had() -> None:
    usable = os.sched_getaffinity(0)
    slowed = Pacer().read(sorted(usable))
    assert slowed == 0
    assert os.sched_getaffinity(0) == usable


def test_a_system_without_affinity_has_no_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_setaffinity")
    assert Pacer().read((0,)) is None


def test_a_trial_far_slower_than_those_before_it_is_found_once_the_usual_is_known() -> None:
    some = Pacer()
    assert not some.is_far(0.9)
    for _ in range(samplers.ENOUGH_TRIALS):
        assert not some.is_far(0.1)
    assert some.is_far(0.4)
    assert not some.is_far(0.3)
    assert not some.is_far(None)
