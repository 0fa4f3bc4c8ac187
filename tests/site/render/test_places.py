"""What programs gain on several machines stands side by side, each against its own baseline."""

import re

import pytest
from msgspec import structs

from scripts.site.judge.judge import Evidence
from scripts.site.render.facts import name_machine
from scripts.site.render.gains import MOST, show_places
from scripts.site.render.words import load_words
from tests.factories import make_machine, replace
from tests.site.judge.test_rows import gather, make_pair

WORDS = [load_words(language) for language in ("en", "ru")]
EN, RU = WORDS
THEIRS = [
    {"program": name, "machine": "Theirs", "cores": "8", "python": "3.9.1", "wall_s": time}
    for name, time in (("01-io-sequential", "14.4"), ("04-io-thread_pool", "2.0"))
]


def add_originals(evidence: Evidence) -> Evidence:
    return replace(
        evidence, experiment=structs.replace(evidence.experiment, originals=tuple(THEIRS))
    )


def test_each_machine_is_held_against_its_own_baseline() -> None:
    shown = show_places(
        [gather("box", *make_pair("box")), gather("far", *make_pair("far", 2))], EN, "../machines/"
    )
    assert shown.count("×2.1") == 2
    assert 'href="../machines/box/"' in shown
    assert 'href="../machines/far/"' in shown


def test_a_machine_and_its_cores_stand_once_over_all_their_pythons() -> None:
    pythons = ("cpython-3.13.0", "cpython-3.14.0")
    records = [one for python in pythons for one in make_pair("box", 2, python)]
    shown = show_places([gather("box", *records, pythons=2)], EN, "../machines/")
    assert shown.partition("</thead>")[0].count("../machines/box/") == 1
    assert 'colspan="2"' in shown
    heads = [head for _, head in re.findall(r'<th scope="col">(<abbr[^>]*>)?([^<]*)', shown)]
    assert heads == [EN.text("program"), "3.14", "3.13"]


def test_the_authors_machines_are_columns_with_their_own_ratio() -> None:
    shown = show_places([add_originals(gather("box", *make_pair("box")))], EN, "")
    assert "Theirs<small>8\N{NO-BREAK SPACE}cores</small>" in shown
    assert '<th scope="col">3.9.1</th>' in shown
    assert "×7.2" in shown
    assert "14.4" not in shown


def test_no_seconds_of_any_machine_are_in_it() -> None:
    shown = show_places([gather("box", *make_pair("box"))], EN, "")
    assert "\N{NO-BREAK SPACE}s<" not in shown


def test_what_is_no_longer_valid_is_said_to_be() -> None:
    found = gather("box", *make_pair("box"))
    old = replace(found, outdated=frozenset([found.judgements[0].record.variant]))
    assert EN.text("outdated") not in show_places([found], EN, "")
    assert EN.text("outdated") in show_places([old], EN, "")


@pytest.mark.slow
@pytest.mark.parametrize("words", WORDS)
def test_of_200_machines_so_many_are_shown_and_the_rest_is_counted(words) -> None:  # type: ignore[no-untyped-def]
    many = [gather(f"box-{one}", *make_pair(f"box-{one}")) for one in range(200)]
    shown = show_places(many, words, "", MOST)
    assert shown.count('<th scope="col">') == MOST + 1
    assert words.count("places_left", 200 - MOST) in shown


def test_nothing_measured_is_a_sentence() -> None:
    assert show_places([gather("box")], EN, "") == f"<p>{EN.text('places_nothing')}</p>"


def test_a_machine_cannot_put_markup_into_a_page() -> None:
    found = gather("box", *make_pair("box"))
    hostile = replace(found, machine=make_machine(cpu_model="<script>alert(1)</script>"))
    assert "<script>" not in show_places([hostile], EN, "")


def test_a_limited_machine_is_called_so() -> None:
    machine = make_machine(cpu_model="Example CPU @ 2 GHz", affinity=(0,))
    assert name_machine(machine, EN) == "Example, limited to 1 of 2\N{NO-BREAK SPACE}cores"
    assert name_machine(machine, RU) == "Example, доступно 1 из 2\N{NO-BREAK SPACE}ядер"
    assert name_machine(make_machine(), EN) == "Example"
