"""The articles' own figures, as the language of the page writes them."""

from pathlib import Path

import pytest
from msgspec import structs

from scripts.site.declare.originals import load_originals
from scripts.site.judge.judge import Evidence
from scripts.site.render.originals import show_originals
from scripts.site.render.words import load_words
from tests.factories import TERMS, make_experiment, make_record
from tests.site.golden import PLAIN, POOL, WORDS
from tests.site.render.markup import make_evidence, read_rows

ORIGINALS = f"""\
machine,cores,os,python,program,workers,wall_s,trials_s,max_rss_kb
theirs,8,Linux,3.7.4,{PLAIN},,17.39,18.28 17.39 9.5,29 456
theirs,8,Linux,3.7.4,{POOL},16,~2.7,,
"""


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    (tmp_path / "originals.csv").write_text(ORIGINALS)
    experiment = make_experiment()
    originals = load_originals(tmp_path, {program.name for program in experiment.programs})
    experiment = structs.replace(experiment, originals=originals)
    return make_evidence([make_record()], experiment=experiment)


@pytest.mark.parametrize(
    ("language", "rows"),
    [
        (
            "en",
            [
                [PLAIN, "—", "17.39", "18.28; 17.39; 9.5", "29,456"],
                [POOL, "16", "~2.7", "—", "—"],
            ],
        ),
        (
            "ru",
            [
                [PLAIN, "—", "17,39", "18,28; 17,39; 9,5", "29 456"],
                [POOL, "16", "~2,7", "—", "—"],
            ],
        ),
    ],
)
def test_figures_follow_the_language_and_what_an_article_calls_about_stays_about(
    evidence: Evidence, language: str, rows: list[list[str]]
) -> None:
    assert read_rows(show_originals(evidence, load_words(language).add(TERMS))) == rows


def test_what_is_derived_is_said(evidence: Evidence) -> None:
    assert "[original_derived" not in show_originals(evidence, WORDS)
    derived = {"cores": {"en": "The `cores` are counted.", "ru": "Посчитано."}}
    evidence = make_evidence([], experiment=structs.replace(evidence.experiment, derived=derived))
    assert "The <code>cores</code> are counted." in show_originals(evidence, WORDS)
