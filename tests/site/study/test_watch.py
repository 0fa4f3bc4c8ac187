"""A timeline is made of a program that is watched."""

import os
from pathlib import Path

import pytest
from msgspec import structs

import making
from poolwise.machine import usable_cores
from poolwise.process import Launcher
from poolwise.pythons import select
from poolwise.trial import Bench
from poolwise.watch import is_watchable
from scripts.site.study.watch import trace_program

TIMED = """
import time
def main():
    time.sleep(0.2)
    time.sleep(0.25)
    print("3 of them")
    print("time 0.250000 s")
main()
"""
SLEPT_US = 200_000 - 1_000_000 // os.sysconf("SC_CLK_TCK")  # a thread's beginning is told in ticks


@pytest.mark.skipif(not is_watchable(), reason="this system does not tell when threads run")
def test_what_a_program_timed_itself_is_known_and_what_it_did_before_is_not_in_it(
    tmp_path: Path,
) -> None:
    experiment = making.make_experiment(tmp_path)
    (tmp_path / "timed.py").write_text(TIMED)
    program = structs.replace(experiment.programs[0], file="timed.py")
    experiment = structs.replace(experiment, programs=(program,))
    installation = select("current")[0]
    variant = making.make_variant(program="timed", family=program.families[0], cores=1)
    with Launcher() as launcher:
        bench = Bench(
            experiment=experiment,
            profile=experiment.profiles["quick"],
            installation=installation,
            launcher=launcher,
            server=None,
        )
        timeline = trace_program(bench, variant, usable_cores()[:1], "0" * 16)
    assert timeline
    assert timeline.inside_us
    assert timeline.find_value("inside_s") == 0.25
    assert timeline.work_us + SLEPT_US <= timeline.begin_us < timeline.end_us <= timeline.wall_us
