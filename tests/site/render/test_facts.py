"""Tables around the measurements say what was set, and signs what they mean."""

import pytest
from markupsafe import Markup

from making import NOW, make_machine, make_record, make_values, replace
from scripts.site.render.facts import (
    MARGINS,
    name_machine,
    show_faults,
    show_machine,
    show_machines,
    show_margins,
    tell_measured,
)
from scripts.site.render.names import (
    cell_gain,
    explain_signs,
    show_flags,
    show_status,
    show_verdict,
)
from scripts.site.render.words import load_words
from scripts.site.study.faults import Campaign, Tally
from tests.site.golden import WORDS
from tests.site.render.markup import make_evidence, read_rows

EN = load_words("en")


def test_what_of_faults_was_not_lost_held() -> None:
    tallies = (Tally(kind="killed", tried=8, lost=1), Tally(kind="damaged", tried=396, lost=0))
    first, second = read_rows(show_faults(Campaign(ran_at=NOW, tallies=tallies), WORDS))
    assert first[1:] == ["8", "7", "1"]
    assert second[1:] == ["396", "396", "0"]


def test_when_and_on_what_it_was_measured_is_one_sentence_and_none_before() -> None:
    evidence = make_evidence([make_record()])
    told = tell_measured(evidence, {}, EN, "machines/").striptags()
    assert told.startswith("Measured on ")
    assert f"of {evidence.machine.model}, with Python {evidence.interpreters[0].version}." in told
    assert tell_measured(make_evidence([]), {}, EN, "machines/") == ""


def test_the_margins_are_those_of_the_rule() -> None:
    rows = read_rows(show_margins(WORDS))
    assert [row[0] for row in rows] == list(MARGINS)
    assert [row[2] for row in rows] == [f"[{name}]" for name in MARGINS]


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


def test_facts_of_a_machine_have_their_units_and_say_what_nobody_knows() -> None:
    rows = read_rows(show_machine(make_machine(), (), EN))
    told = {row[1].replace("\N{NO-BREAK SPACE}", " ") for row in rows if row}
    assert {"2,400 MHz", "8.0 GiB", "L2 1.0 MiB × 2", "0, 1", "not known", "no limit"} <= told


def test_trials_are_disturbed_on_machines_by_the_rule_of_claims() -> None:
    record = make_record()
    busy = replace(record.timed[0], values=make_values(2.0, others_share=1.5))
    calm = replace(record.timed[0], values=make_values(2.0))  # repeated because the cores were slow
    loaded = replace(record, timed=[busy] * 4 + [calm], disturbed=[busy, calm])
    assert loaded.is_disturbed
    ((_, _, _, noise),) = read_rows(show_machines({"box": [make_evidence([loaded])]}, EN, "box"))
    assert "disturbed trials: 5 of 7 (71.4%)" in noise


def test_where_no_system_tells_what_others_took_nobody_knows_how_many_trials_were_disturbed() -> (
    None
):
    silent = [
        replace(one, values=make_values(2.0, others_share=None, stolen_share=None))
        for one in make_record().timed
    ]
    evidence = make_evidence([replace(make_record(), timed=silent)])
    ((_, _, _, noise),) = read_rows(show_machines({"box": [evidence]}, EN, "box"))
    assert noise == "not known"


def test_machines_of_one_name_are_told_apart_wherever_they_are_named() -> None:
    first, second, other = (
        make_machine(id=f"example-cpu-2c-{end}", cpu_model=model)
        for end, model in (("a1a705", "Example CPU"), ("e77118", "Example CPU"), ("0b0b0b", None))
    )
    words = EN.add({}, frozenset({"Example"}))
    assert [name_machine(one, words) for one in (first, second, other)] == [
        "Example (a1a705)",
        "Example (e77118)",
        "processor not known",
    ]
    assert name_machine(first, EN) == "Example"


def test_of_a_machine_with_nothing_measured_nobody_knows_the_noise() -> None:
    ((_, _, *told),) = read_rows(show_machines({"box": [make_evidence([])]}, WORDS, "box"))
    assert told == ["[not_measured]", "[unknown]"]
