"""What is measured of a run is read as its entry says, and told apart from what slowed it."""

import os

import pytest

from poolwise import samplers
from poolwise.metrics import Run, read_run, read_value
from poolwise.samplers import Pacer, Usage, find_shares

USAGE = {"ru_utime": 3.0, "ru_stime": 1.0, "ru_maxrss": 5}
RUN = Run(
    wall_s=2.0,
    usage=USAGE,
    inside_s=1.5,
    server_s=0.5,
    peak_pss_bytes=7,
    late_s=[[0.1, 0.4], [0.2] * 98 + [0.3, 0.9]],
    stolen_share=0.1,
    others_share=0.2,
    slowed_share=0.3,
)


def test_a_timed_run_gives_all_but_what_is_traced():
    assert read_run(RUN, traced=False) == {
        "wall_s": 2.0,
        "inside_s": 1.5,
        "user_s": 3.0,
        "system_s": 1.0,
        "max_rss_bytes": 5,
        "server_share": 0.25,
        "stolen_share": 0.1,
        "others_share": 0.2,
        "slowed_share": 0.3,
    }


def test_a_traced_run_gives_memory_and_the_lag_of_the_latest_loop():
    assert read_run(RUN, traced=True) == {
        "peak_pss_bytes": 7,
        "lag_p50_s": 0.2,
        "lag_p99_s": 0.4,
        "lag_max_s": 0.9,
    }
    assert read_run(Run(usage=USAGE), traced=True)["lag_max_s"] is None


def test_what_is_derived_of_something_lacking_lacks():
    assert read_value("cpu_share", {"wall_s": 2.0, "user_s": 1.0}) is None


NOBODY = (0.0, 0.0)


@pytest.mark.parametrize(
    ("busy_s", "stolen_s", "used_s", "cores", "shares"),
    [
        (((1, 5), (5, 9)), ((0, 2), (1, 4)), 2.0, (0,), (0.25, 0.5)),
        (((1, 5), (5, 9)), ((0, 2), (1, 4)), 2.0, (0, 1), (0.75, 1.5)),
        (((1, 5), (5, 9)), ((0, 2), (1, 4)), 2.0, (7,), (0.75, 1.5)),  # nobody knows that core
        (((0, 0), (0.1 + 0.2, 0)), (NOBODY, NOBODY), 0.3, (), (0.0, 0.0)),  # what rounding leaves
        (((1, 5, 2), (5, 6)), ((0,), (0,)), 0.0, (), (0.0, 1.25)),  # a core that has gone
        ((NOBODY, NOBODY), (None, None), 0.0, (), (None, 0.0)),
        ((NOBODY, NOBODY), (None, NOBODY), 0.0, (), (None, 0.0)),
        ((NOBODY, NOBODY), (NOBODY, None), 0.0, (), (None, 0.0)),
    ],
)
def test_others_take_of_a_programs_cores_what_is_stolen_and_busy_besides(
    busy_s, stolen_s, used_s, cores, shares
):
    before, after = (
        Usage(at_s=4.0 * late, busy_s=busy_s[late], stolen_s=stolen_s[late]) for late in (0, 1)
    )
    assert find_shares(before, after, used_s, cores) == shares


def test_each_core_is_held_against_its_own_best(monkeypatch):
    times_ns = iter((100, 50, 200, 50, 400, 25))
    monkeypatch.setattr(samplers, "time_work", lambda _: next(times_ns))
    one = Pacer()
    assert [one.read((0, 1)) for _ in range(3)] == [0, 0.25, 0.375]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no core can be chosen")
def test_a_reading_leaves_this_process_on_the_cores_that_it_had():
    usable = os.sched_getaffinity(0)
    slowed = Pacer().read(sorted(usable))
    assert slowed == 0
    assert os.sched_getaffinity(0) == usable


def test_a_system_without_affinity_has_no_pace(monkeypatch):
    monkeypatch.delattr(os, "sched_setaffinity")
    assert Pacer().read((0,)) is None


def test_a_trial_far_slower_than_those_before_it_is_found_once_the_usual_is_known():
    some = Pacer()
    assert not some.is_far(0.9)
    for _ in range(samplers.ENOUGH_TRIALS):
        assert not some.is_far(0.1)
    assert some.is_far(0.4)
    assert not some.is_far(0.3)
    assert not some.is_far(None)
