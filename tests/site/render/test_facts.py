"""Tables around the measurements say what was set, and signs what they mean."""

import pytest
from markupsafe import Markup

from scripts.harness.record import Trial
from scripts.site.render.facts import MARGINS, show_machines, show_margins
from scripts.site.render.signs import (
    cell_gain,
    explain_signs,
    show_flags,
    show_status,
    show_verdict,
)
from tests.factories import make_record, make_values, replace
from tests.site.golden import WORDS
from tests.site.judge.test_rows import gather
from tests.site.render.markup import read_rows


def test_the_margins_are_those_of_the_rule() -> None:
    rows = read_rows(show_margins(WORDS))
    assert [row[0] for row in rows] == list(MARGINS)
    assert [row[2] for row in rows] == [f"[{name}]" for name in MARGINS]


def test_what_of_their_pace_cores_lacked_is_told_by_how_much_they_computed() -> None:
    record = make_record()
    trials = [
        Trial(status="ok", values=make_values(1.0, cpu_s, slowed_share=slowed))
        for cpu_s, slowed in ((0.9, 0.2), (0.1, 0.4))
    ]
    slowed = gather("box", replace(record, timed=tuple(trials)))
    shown = show_machines({"box": [slowed]}, WORDS, "")
    assert "[slowed_share 22 " in shown
    assert "[slowed_share" not in show_machines({"box": [gather("box", record)]}, WORDS, "")


@pytest.mark.parametrize(
    ("shown", "way"),
    [
        (show_verdict("as good", WORDS), "../method/#verdicts"),
        (show_status("open", WORDS), "../method/#verdicts"),
        (cell_gain("as good", ("", ""), WORDS), "../method/#verdicts"),
        (show_flags(["few"], WORDS), "../method/#statistics"),
        (cell_gain(None, ("", ""), WORDS), None),
    ],
)
def test_a_block_with_signs_leads_to_what_they_mean(shown: Markup, way: str | None) -> None:
    told = explain_signs(shown, WORDS, "../method/")
    assert (f'href="{way}"' in told) if way else not told
