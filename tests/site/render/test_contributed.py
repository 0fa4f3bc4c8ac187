"""What strangers sent stands under a head that says so, what differs first, and no markup of theirs works."""

import pytest

from making import make_interpreter, make_machine, make_record, make_variant
from poolwise.record import Results
from scripts.site.render.contributed import show_contributed
from scripts.site.render.words import load_words
from scripts.site.study.contributed import Contributed, Contribution
from tests.factories import PLAIN, POOL, make_experiment
from tests.site.render.markup import read_rows

EXPERIMENTS = {"lab": make_experiment()}
HEAD = {"en": "Contributed, not checked by us", "ru": "Прислано читателями, нами не проверено"}


def make_contribution(gain: float, **machine: object) -> Contribution:
    plain, pool = (make_record(make_variant(program=program)) for program in (PLAIN, POOL))
    results = Results(
        machine=make_machine(**machine), interpreter=make_interpreter(), records=(plain, pool)
    )
    rows = (
        Contributed(record=plain, gain=None),
        Contributed(record=pool, gain=gain, ends=(0.9, 1.8)),
    )
    return Contribution(results=(results,), rows=rows)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_whatever_strangers_sent_is_headed_as_that_in_each_table(language: str) -> None:
    words = load_words(language)
    shown = show_contributed([make_contribution(1.5)], EXPERIMENTS, words, "../data")
    assert f"<caption>{HEAD[language]}</caption>" in shown  # the machines
    assert f"<caption>{HEAD[language]}: box</caption>" in shown  # what one gave
    assert "../data/contributed/box/cpython-3.13.0.json" in shown
    nothing = show_contributed([], EXPERIMENTS, words, "../data")
    assert nothing == f"<p>{words.text('contributed_none')}</p>"


def test_a_gain_that_no_measured_machine_comes_near_is_told_before_all_others() -> None:
    far = show_contributed([make_contribution(1800.0)], EXPERIMENTS, load_words("en"), "")
    assert "1 of 1\N{NO-BREAK SPACE}gain over the baseline differ" in far
    assert [row[1] for row in read_rows(far) if row[0].startswith(POOL)] == ["×1,800", "×1,800"]
    assert far.index("Differs by more than") < far.index("×1,800") < far.index("Waiting (I/O)")
    near = show_contributed([make_contribution(1.5)], EXPERIMENTS, load_words("en"), "")
    assert "None of 1\N{NO-BREAK SPACE}gain over the baseline differs" in near
    assert "Differs by more than" not in near


def test_a_stranger_cannot_put_markup_into_a_page() -> None:
    hostile = make_contribution(1.5, cpu_model="<script>alert(1)</script>", os="<img src=x>")
    shown = show_contributed([hostile], EXPERIMENTS, load_words("en"), "")
    assert "<script>" not in shown
    assert "<img" not in shown
