"""What cores lacked of their best pace is told of the cores that were busy, and only where it tells something."""

import os
import time
from dataclasses import replace

import pytest

from scripts.harness import pace, pacer
from scripts.harness.pace import Pacer, Reading, find_slowed


def read(count: float = 0.0, total: float = 0.0) -> Reading:
    """On a core whose best speed is 2."""
    return Reading(count=count, total=total, best=2.0)


def test_what_a_core_lacked_is_told_by_the_mean_of_its_speeds() -> None:
    assert find_slowed({0: read(10, 20)}, {0: read(20, 35)}, [1.0]) == pytest.approx(0.25)


def test_each_core_counts_for_as_long_as_it_was_busy() -> None:
    before, after = {0: read(), 1: read()}, {0: read(10, 20), 1: read(10, 10)}
    for busy_s, slowed in (([3, 1], 0.125), ([0, 2], 0.5), ([0, 0], 0.25), ([], 0.25)):
        assert find_slowed(before, after, busy_s) == pytest.approx(slowed)


def test_no_core_is_faster_than_the_best() -> None:
    assert find_slowed({0: read()}, {0: read(10, 25)}, [1]) == 0


def test_the_best_speed_is_that_known_at_the_end() -> None:
    before = replace(read(10, 20), best=4.0)
    assert find_slowed({0: before}, {0: read(20, 35)}, [1.0]) == pytest.approx(0.25)


def test_few_pieces_of_work_tell_nothing() -> None:
    assert find_slowed({0: read()}, {0: read(pace.FEWEST_PIECES - 1, 4)}, [1]) is None
    assert find_slowed({}, {}, [1]) is None


def test_the_best_speed_is_one_that_some_pieces_have_and_not_a_single_one() -> None:
    speeds = pacer.Speeds()
    for time_ns in [40_000] * 80 + [20_000] * 19 + [1]:
        speeds.add(time_ns)
    assert speeds.count == 100
    assert speeds.total == pytest.approx(80 / 40_000 + 19 / 20_000 + 1)
    assert speeds.best == pytest.approx(1 / 20_000, rel=2 / pacer.RESOLUTION)
    assert pacer.Speeds().best == 0


def test_cores_that_slow_each_other_are_not_independent(monkeypatch: pytest.MonkeyPatch) -> None:
    cores = sorted(os.sched_getaffinity(0))
    monkeypatch.setattr(pacer, "TRIES", 2)
    monkeypatch.setattr(pacer, "_time_long", lambda _, lasting_s: 1500 if lasting_s else 1000)
    assert not pacer.are_independent(cores)
    monkeypatch.setattr(pacer, "_time_long", lambda _, lasting_s: 1040 if lasting_s else 1000)
    assert pacer.are_independent(cores)


@pytest.mark.parametrize("slow", [0, 1])
def test_one_core_that_others_slow_is_enough_to_tell_no_pace(
    slow: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def time_long(core: int, lasting_s: float) -> int:
        return 1500 if lasting_s and core == slow else 1000

    monkeypatch.setattr(pacer, "TRIES", 2)
    monkeypatch.setattr(pacer, "_time_long", time_long)
    assert not pacer.are_independent([0, 1])


@pytest.mark.slow
def test_a_real_pacer_tells_of_each_core_and_ends() -> None:
    cores = sorted(os.sched_getaffinity(0))
    with Pacer(cores) as one:
        began = one.read()
        process = one._process
        assert process
        if not began:  # cores of this machine slow each other
            process.wait(60)
            return
        assert list(began) == cores
        deadline_s = time.monotonic() + 60
        while (slowed := find_slowed(began, one.read(), [])) is None:
            assert time.monotonic() < deadline_s
            time.sleep(0.05)
        assert 0 <= slowed < 1
    assert process.poll() is not None


def test_a_pacer_that_nobody_reads_is_never_started() -> None:
    with Pacer([0]) as one:
        pass
    assert one._process is None


def test_a_system_without_affinity_has_no_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_setaffinity")
    with Pacer([0]) as one:
        assert one.read() == {}
        assert one._process is None


def test_a_pacer_that_cannot_run_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacer, "__file__", os.devnull)
    with Pacer([0]) as one:
        assert one.read() == {}
        assert one.read() == {}


def test_where_nothing_more_can_be_started_nobody_tells_the_pace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr(pace.subprocess, "Popen", refuse)
    with Pacer([0]) as one:
        assert one.read() == {}


def test_a_trial_far_slower_than_those_before_it_is_found_once_the_usual_is_known() -> None:
    some = Pacer(())
    assert not some.is_far(0.9)
    for _ in range(pace.ENOUGH_TRIALS):
        assert not some.is_far(0.1)
    assert some.is_far(0.4)
    assert not some.is_far(0.3)
    assert not some.is_far(None)
