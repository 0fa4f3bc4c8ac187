"""An agenda says how long the stages of a run should take, and what is left."""

import pytest

from scripts.site.study.agenda import Agenda, Stage


def test_the_stages_of_a_run_add_up_and_what_is_left_follows_what_is_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = Stage(name="sketch", work="10 trials", estimate_s=30.0)
    rest = Stage(name="rest", work="90 trials", estimate_s=90.0)
    agenda = Agenda([first, rest])
    assert agenda.describe() == [
        "About 2 min 00 s in all:",
        "  1/2 sketch        about 30 s  25%  10 trials",
        "  2/2 rest    about 1 min 30 s  75%  90 trials",
    ]
    assert agenda.begin("sketch") == "1/2 sketch"
    assert agenda.estimate(["sketch", "rest", "none"]) == 120.0
    longer = Stage(name="rest", work="80 trials", estimate_s=120.0)
    assert agenda.begin("rest", [longer]) == "2/2 rest"
    assert capsys.readouterr().err.splitlines() == [
        "1/2 sketch: 10 trials, about 30 s; about 2 min 00 s left in all",
        "2/2 rest: 80 trials, about 2 min 00 s; about 2 min 00 s left in all",
    ]
