"""Gains stand side by side, by place and by release, each over its own baseline, and say what they lack."""

import re
from datetime import UTC, datetime

import pytest

from making import alter, make_build, make_machine, replace
from poolwise.declaration import Reason
from poolwise.machine import Pair
from scripts.site.judge.evidence import Evidence
from scripts.site.render.facts import show_machine, show_machines
from scripts.site.render.gains import MOST_PLACES, show_places
from scripts.site.render.plot import show_nothing
from scripts.site.render.tables import show_readings
from tests.factories import PLAIN, POOL, make_experiment
from tests.site.golden import FREE, LOCKED, NEW, OLD, WORDS, lack, measure
from tests.site.judge.test_rows import gather, make_pair
from tests.site.render.markup import make_evidence, read_rows


def compare_pythons(evidence: Evidence) -> str:
    """The first table, of all Pythons."""
    return show_places([evidence], WORDS, "").partition("</table>")[0]


def test_a_program_at_its_largest_size_is_held_against_the_baseline_of_its_own_python() -> None:
    sizes = ((PLAIN, 10, 2.0), (POOL, 10, 1.0), (POOL, 90, 4.0))  # the baseline has not 90
    records = [measure(NEW, program, wall_s, tasks=tasks) for program, tasks, wall_s in sizes]
    records += [measure(OLD, PLAIN, 6.0), measure(OLD, POOL, 2.0)]
    rows = read_rows(compare_pythons(make_evidence(records, (NEW, OLD))))
    assert rows[0] == [PLAIN, "×1", "×1"]
    assert "×2.11" in rows[1][1]
    assert "×3.11" in rows[1][2]


def test_a_python_that_lacks_a_program_says_why() -> None:
    pythons = (NEW, OLD)
    records = [measure(one, PLAIN, 1.0) for one in pythons] + [measure(NEW, POOL, 0.5)]
    records.append(lack(measure(OLD, POOL, 1.0)))
    shown = compare_pythons(make_evidence(records, pythons))
    assert shown.count('title="[no-wheel aiohttp]">[unavailable]') == 1


@pytest.mark.parametrize(("kind", "name"), [("programs", POOL), ("families", "io")])
def test_a_python_that_cannot_run_a_program_says_since_when_it_could(kind: str, name: str) -> None:
    experiment = alter(make_experiment(), kind, name, python="3.11")
    records = [measure(NEW, PLAIN, 1.0), measure(NEW, POOL, 0.5), measure(OLD, PLAIN, 1.0)]
    shown = compare_pythons(make_evidence(records, (NEW, OLD), experiment))
    assert WORDS.reason(Reason("needs-python", {"since": "3.11"})) in shown


def test_a_pre_release_has_its_full_name_wherever_a_python_is_named() -> None:
    pythons = [make_build("3.14.7"), make_build("3.15.0rc1"), make_build("3.15.0rc1", "t")]
    wrong = {"wrong": [1] * 5}
    records = [
        replace(measure(python, program, 1.0), readings=wrong)
        for python in pythons
        for program in (PLAIN, POOL)
    ]
    evidence = make_evidence(records, pythons)
    heads = re.findall('<th scope="col">(.*?)</th>', compare_pythons(evidence))[1:]
    assert heads == ["3.15.0rc1", "3.15.0rc1t", "3.14"]
    firsts = [row[0].split()[0] for row in read_rows(show_readings(evidence, WORDS, "io", "wrong"))]
    assert firsts == ["3.14", "3.15.0rc1", "3.15.0rc1t"]
    ((_, _, measured, *_),) = read_rows(show_machines({"box": [evidence]}, WORDS, "box"))
    assert "Python 3.14, 3.15.0rc1, 3.15.0rc1t" in measured


def test_one_program_measured_as_two_is_compared_round_by_round() -> None:
    times_s = tuple(2.0**power for power in range(8))
    for factor, said in ((1.1, "[pair_apart"), (1.0, "[pair_same")):
        second_s = tuple(factor * time_s for time_s in times_s)
        pair = Pair(first_s=times_s, second_s=second_s, measured_at=datetime.now(UTC))
        assert said in show_machine(make_machine(pair=pair), (), WORDS)


def test_builds_of_one_name_are_columns_with_names_of_their_own() -> None:
    pythons = (NEW, FREE, LOCKED, make_build("3.13.2"))
    records = [measure(one, program, 1.0) for one in pythons for program in (PLAIN, POOL)]
    heads = compare_pythons(make_evidence(records, pythons)).partition("</thead>")[0]
    names = re.findall('<th scope="col">(.*?)</th>', heads)[1:]
    assert names == ["3.14t", "3.14t-gil", "3.13.2", "3.13.0"]


def test_what_is_no_longer_valid_is_said_to_be() -> None:
    found = gather("box", *make_pair("box"))
    old = replace(found, outdated=frozenset([found.judgements[0].variant]))
    assert ["[outdated]" in show_places([one], WORDS, "") for one in (found, old)] == [False, True]


@pytest.mark.slow
def test_of_200_machines_so_many_are_shown_and_the_rest_is_counted() -> None:
    many = [gather(f"box-{one}", *make_pair(f"box-{one}")) for one in range(200)]
    shown = show_places(many, WORDS, "")
    assert shown.count('<th scope="col">') == MOST_PLACES + 1
    assert WORDS.count("places_left", 200 - MOST_PLACES) in shown


def test_nothing_measured_is_a_sentence() -> None:
    assert show_places([gather("box")], WORDS, "") == show_nothing(WORDS)
