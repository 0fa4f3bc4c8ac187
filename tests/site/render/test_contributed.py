"""What strangers sent stands in one table under a head that says so, and no markup of theirs works."""

import pytest

from making import make_interpreter, make_machine, make_record, make_variant
from poolwise.record import Results
from scripts.site.render.contributed import show_contributed
from scripts.site.render.words import load_words
from scripts.site.study.contributed import Contribution, Gain
from tests.factories import PLAIN, POOL

HEAD = {"en": "Contributed, not checked by us", "ru": "Прислано читателями, нами не проверено"}


def make_contribution(*gains: float, **machine: object) -> Contribution:
    plain, pool = (make_record(make_variant(program=program)) for program in (PLAIN, POOL))
    results = Results(
        machine=make_machine(**machine), interpreter=make_interpreter(), records=(plain, pool)
    )
    compared = tuple(Gain(pool, gain, 0.9, 1.8) for gain in gains)
    return Contribution((results,), results.records, compared)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_whatever_strangers_sent_is_headed_as_that_and_linked(language: str) -> None:
    words = load_words(language)
    shown = show_contributed([make_contribution()], words, "../data")
    assert f"<caption>{HEAD[language]}</caption>" in shown
    assert "../data/contributed/box/cpython-3.13.0.json" in shown
    nothing = show_contributed([], words, "../data")
    assert nothing == f"<p>{words.text('contributed_none')}</p>"


@pytest.mark.parametrize(
    ("gains", "sentence"),
    [
        ((1800.0, 1.5), "1 of 2\N{NO-BREAK SPACE}gains over the baseline differ"),
        ((1.5,), "None of 1\N{NO-BREAK SPACE}gain over the baseline differs"),
        ((), "None of this was measured on another machine"),
    ],
)
def test_it_is_said_how_many_gains_no_measured_machine_comes_near(
    gains: tuple[float, ...], sentence: str
) -> None:
    assert sentence in show_contributed([make_contribution(*gains)], load_words("en"), "")


def test_a_stranger_cannot_put_markup_into_a_page() -> None:
    hostile = make_contribution(1.5, cpu_model="<script>alert(1)</script>", os="<img src=x>")
    shown = show_contributed([hostile], load_words("en"), "")
    assert "<script>" not in shown
    assert "<img" not in shown
