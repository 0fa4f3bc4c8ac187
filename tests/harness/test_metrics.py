"""What is measured of a run is read as each metric's entry says."""

from scripts.harness.metrics import COUNTED, METRICS, Run, read_run, read_value

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


def test_a_timed_run_gives_all_but_what_is_traced() -> None:
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


def test_a_traced_run_gives_memory_and_the_lag_of_the_latest_loop() -> None:
    assert read_run(RUN, traced=True) == {
        "peak_pss_bytes": 7,
        "lag_p50_s": 0.2,
        "lag_p99_s": 0.4,
        "lag_max_s": 0.9,
    }
    assert read_run(Run(usage=USAGE), traced=True)["lag_max_s"] is None


def test_what_is_derived_of_something_lacking_lacks() -> None:
    assert read_value("cpu_share", {"wall_s": 2.0, "user_s": 1.0}) is None


def test_what_counts_the_trials_is_recorded_of_either_pass() -> None:
    assert [METRICS[name].traced for name in COUNTED] == [False, True]
    assert all(METRICS[name].read for name in COUNTED)
