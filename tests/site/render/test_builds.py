"""Bars say what threads gain on a Python, by the numbers of claims, and by words whether it has the GIL."""

import re

import pytest

from making import alter, make_build, make_machine, make_record, make_variant, replace
from poolwise.pythons import Interpreter
from poolwise.record import Record
from scripts.site.judge.claims import check_evidence
from scripts.site.render.builds import show_builds, show_prices, show_upgrade
from scripts.site.render.estimates import format_ratio
from scripts.site.render.figures import list_drawn, name_cell
from scripts.site.render.plot import Finding, show_nothing
from tests.factories import PLAIN, POOL, make_claim, make_comparison, make_experiment
from tests.site.golden import PROCESSES, WORDS
from tests.site.judge.test_rows import FAST, SLOW
from tests.site.render.markup import make_evidence, read_texts, read_tooltips

LOCKED, FREE, SWITCHED = (make_build("3.14.7", flags) for flags in ("", "t", "t-gil"))
NEWER = make_build("3.15.2")


def measure(
    python: Interpreter, pool: list[float], cores: int = 2, trials: int = 5
) -> list[Record]:
    place = {"interpreter": python.id, "gil": python.gil, "cores": cores}
    plain = make_variant(program=PLAIN, workers=1, **place)
    threads = make_variant(program=POOL, workers=2, **place)
    return [make_record(plain, SLOW[:trials]), make_record(threads, pool[:trials])]


def gather(*measured: tuple[Interpreter, list[float]], machine: str = "box", cores: int = 2):
    records = [record for python, pool in measured for record in measure(python, pool, cores)]
    evidence = make_evidence(records, [python for python, _ in measured])
    return replace(evidence, machine=make_machine(id=machine, cpu_model=machine))


def test_a_bar_has_the_very_ratio_of_the_claim_that_compares_the_same() -> None:
    evidence = gather((LOCKED, SLOW), (FREE, FAST))
    shown = show_builds(evidence, WORDS, [], ["io"], [POOL], Finding("it", "So it is."))
    claim = make_claim(make_comparison(metric="inside_s"))
    checks = check_evidence([claim], evidence)
    ratios = [format_ratio(check.findings[0].ratio, WORDS)[0] for check in checks]
    assert [tip.split()[-2] for tip in read_tooltips(shown)] == ratios == ["×1.0", "×2.1"]
    assert "<figcaption>So it is." in shown


def test_panels_of_a_version_stand_side_by_side_and_say_whether_they_have_the_gil() -> None:
    evidence = gather((FREE, FAST), (SWITCHED, SLOW), (LOCKED, SLOW))
    texts = read_texts(show_builds(evidence, WORDS, [], ["io"], [POOL]))
    assert [text for text in texts if text.startswith(("3.14.7", "[builds_o"))] == [
        "3.14.7",
        "[builds_on]",
        "3.14.7t",
        "[builds_off]",
        "[builds_one]",
    ]
    assert texts.count("×1") == 2


def test_a_version_comes_from_the_machine_shown_and_else_from_one_with_as_many_cores() -> None:
    shown = gather((LOCKED, SLOW), (FREE, FAST))
    other = gather((LOCKED, FAST), (NEWER, SLOW), (make_build("3.15.0", "t"), FAST), machine="far")
    small = gather((make_build("3.16.0", "t"), SLOW), machine="small", cores=1)
    figure = show_builds(shown, WORDS, [other, small], ["io"], [POOL])
    heads = [text for text in read_texts(figure) if re.fullmatch(r"[\d.]+t?", text)]
    assert heads == ["3.14.7", "3.14.7t", "3.15.2", "3.15.0t"]
    (note,) = re.findall('chart-note">(.*?)<', figure)
    assert note == "3.14.7, 3.14.7t: box; 3.15.2, 3.15.0t: far"


def test_a_figure_knows_the_cells_that_it_draws_on_whichever_machine() -> None:
    here, other = gather((LOCKED, SLOW)), gather((FREE, FAST), machine="far")
    figure = show_builds(here, WORDS, [other], ["io"], [POOL])
    records = [evidence.judgements[1].record for evidence in (here, other)]
    assert list_drawn(figure) == set(map(name_cell, records))
    assert {record.program for record in records} == {POOL}


def test_what_was_not_measured_is_said_and_a_single_trial_has_no_interval() -> None:
    experiment = alter(make_experiment(), "programs", PROCESSES, families=["cpu", "io"])
    evidence = make_evidence(
        measure(LOCKED, SLOW) + measure(FREE, FAST), [LOCKED, FREE], experiment
    )
    figure = show_builds(evidence, WORDS, [], ["io"], [POOL, PROCESSES])
    assert read_texts(figure).count("[not-measured]") == 2
    few = make_evidence(measure(LOCKED, SLOW) + measure(FREE, FAST, trials=1), [LOCKED, FREE])
    assert "[band]" not in show_prices(few, WORDS, [], "io")
    nothing = make_evidence([])
    assert show_builds(nothing, WORDS, [], ["io"], [POOL]) == show_nothing(WORDS)
    assert show_prices(nothing, WORDS, [], "io") == show_nothing(WORDS)


def test_one_thread_pays_so_many_per_cent_on_a_build_without_the_gil() -> None:
    records = measure(LOCKED, FAST) + measure(FREE, FAST)
    slower = make_record(records[2].variant, [wall_s * 1.1 for wall_s in SLOW])
    evidence = make_evidence([*records[:2], slower], [LOCKED, FREE])
    texts = read_texts(show_prices(evidence, WORDS, [], "io"))
    assert "+11%" in texts  # of the time of its work
    assert "[prices_label 3.14.7t 3.14.7]" in texts


def test_the_newest_release_stands_against_the_minor_version_before_of_a_build_alike() -> None:
    older, unlike = make_build("3.14.10"), make_build("3.13.9", compiler="Clang 21")
    pre = make_build("3.16.0a1")
    evidence = gather((older, SLOW), (make_build("3.14.2"), SLOW), (NEWER, FAST), (pre, FAST))
    other = gather((unlike, SLOW), (LOCKED, SLOW), machine="far")
    figure = show_upgrade(other, WORDS, [evidence], "io")
    assert "<figcaption>[upgrade_found 3.15.2 1 2 3.14.10 0]<" in figure
    assert show_upgrade(other, WORDS, [], "io") == show_nothing(WORDS)


def test_a_program_of_none_of_the_families_is_refused() -> None:
    with pytest.raises(ValueError, match="no 12-cpu-process_pool in io"):
        show_builds(make_evidence([]), WORDS, [], ["io"], [PROCESSES])
