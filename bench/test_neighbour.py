"""Beside a neighbour what programs of known work are decided to be is held against the truth."""

from itertools import count

import pytest

from bench import neighbour
from making import make_values
from poolwise.plan import Step
from poolwise.record import Trial
from poolwise.trial import Bench


@pytest.mark.parametrize(("slower", "kept"), [(1.0, [True, True]), (30.0, [True, False])])
@pytest.mark.slow
def test_what_others_change_beyond_all_bounds_is_decided_wrongly(
    slower: float, kept: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs take as long as their work, but where a neighbour holds the processes up much longer."""

    def run(bench: Bench, step: Step, cores: tuple[int, ...]) -> Trial:
        work, program = float(step.variant.params["WORK"]), step.variant.program
        time_s = work / 1.8 * slower if program == "processes" else work
        values = make_values(time_s, work, inside_s=time_s, others_share=1.0)
        return Trial(status="ok", values=values | {"peak_pss_bytes": int(work * 1e6)})

    ticks = count()
    monkeypatch.setattr(neighbour, "run_trial", run)
    monkeypatch.setattr(neighbour, "TIME_S", 200.0)
    monkeypatch.setattr(neighbour.time, "monotonic", lambda: float(next(ticks)))
    assert [one.kept for one in neighbour.try_neighbour()] == kept
