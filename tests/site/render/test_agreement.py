"""The article next to this machine: each program against the baseline of its family."""

import pytest
from msgspec import structs

from scripts.harness.statistics import Estimate
from scripts.site.render.originals import classify, show_agreement
from scripts.site.render.words import load_words
from tests.factories import alter, hide_time, make_experiment, make_record, make_variant
from tests.site.render.markup import make_evidence, read_rows


def test_the_article_is_compared_with_a_program_s_first_family_alone() -> None:
    originals = tuple(
        {"program": f"{program}.py", "machine": "theirs", "cores": "1", "wall_s": wall_s}
        for program, wall_s in (("01-io-sequential", "2"), ("04-io-thread_pool", "1"))
    )
    experiment = structs.replace(make_experiment(), originals=originals)
    for program in ("01-io-sequential", "04-io-thread_pool"):
        experiment = alter(experiment, "programs", program, families=["io", "cpu"])
    walls = {"io": 0.5, "cpu": 5.0}
    records = [
        hide_time(make_record(make_variant(program=program, family=family), [wall_s] * 5))
        for family, faster in walls.items()
        for program, wall_s in (("01-io-sequential", 1.0), ("04-io-thread_pool", faster))
    ]
    rows = read_rows(
        show_agreement(make_evidence(records, experiment=experiment), load_words("en"))
    )
    assert [row[0] for row in rows] == ["01-io-sequential", "04-io-thread_pool"]
    assert rows[1][1:] == ["×2.0 gain", "×2.0 gain", "= agrees"]


@pytest.mark.parametrize(("time", "ours"), [("wall_s", "×1.8 gain"), ("inside_s", "×2.0 gain")])
def test_the_article_is_compared_by_the_time_that_it_gives(time: str, ours: str) -> None:
    originals = tuple(
        {"program": f"{program}.py", "machine": "theirs", "cores": "1", time: figure}
        for program, figure in (("01-io-sequential", "2"), ("04-io-thread_pool", "1"))
    )
    experiment = structs.replace(make_experiment(), originals=originals)
    programs = (("01-io-sequential", 1.1), ("04-io-thread_pool", 0.6))
    records = [
        make_record(make_variant(program=program), [wall_s] * 5) for program, wall_s in programs
    ]
    evidence = make_evidence(records, experiment=experiment)
    assert read_rows(show_agreement(evidence, load_words("en")))[1][1:3] == ["×2.0 gain", ours]


def test_a_speedup_counts_only_beyond_the_margin() -> None:
    told = [
        classify(Estimate(median=1.0, low=low, high=high))
        for low, high in ((1.2, 1.3), (0.95, 1.05), (1.05, 1.3), (0.5, 0.8))
    ]
    assert told == ["gain", "tie", "open", "loss"]
