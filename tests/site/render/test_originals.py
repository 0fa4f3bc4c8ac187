"""The articles' own figures, as the language of the page writes them."""

from pathlib import Path

import pytest
from msgspec import structs

from scripts.site.declare.originals import load_originals
from scripts.site.render.originals import show_originals
from scripts.site.render.words import load_words
from tests.factories import TERMS, make_experiment, make_record
from tests.site.render.markup import make_evidence, read_rows

ORIGINALS = """\
machine,cores,os,python,program,workers,wall_s,trials_s,max_rss_kb
theirs,8,Linux,3.7.4,01-io-sequential,,17.39,18.28 17.39 9.5,29 456
theirs,8,Linux,3.7.4,04-io-thread_pool,16,2.71,,
"""


@pytest.mark.parametrize(
    ("language", "rows"),
    [
        (
            "en",
            [
                ["01-io-sequential", "—", "17.39", "18.28; 17.39; 9.5", "29,456"],
                ["04-io-thread_pool", "16", "2.71", "—", "—"],
            ],
        ),
        (
            "ru",
            [
                ["01-io-sequential", "—", "17,39", "18,28; 17,39; 9,5", "29 456"],
                ["04-io-thread_pool", "16", "2,71", "—", "—"],
            ],
        ),
    ],
)
def test_figures_follow_the_language_also_where_a_cell_has_several(
    tmp_path: Path, language: str, rows: list[list[str]]
) -> None:
    (tmp_path / "originals.csv").write_text(ORIGINALS)
    experiment = make_experiment()
    originals = load_originals(tmp_path, {program.name for program in experiment.programs})
    evidence = make_evidence(
        [make_record()], experiment=structs.replace(experiment, originals=originals)
    )
    assert read_rows(show_originals(evidence, load_words(language).add(TERMS))) == rows


def test_what_an_article_calls_about_stays_about_and_what_is_derived_is_said(
    tmp_path: Path,
) -> None:
    (tmp_path / "originals.csv").write_text(ORIGINALS.replace(",17.39,18.28", ",~17,18.28"))
    experiment = make_experiment()
    originals = load_originals(tmp_path, {program.name for program in experiment.programs})
    plain = structs.replace(experiment, originals=originals)
    noted = structs.replace(
        plain, derived={"cores": {"en": "The `cores` are counted.", "ru": "Посчитано."}}
    )
    words = load_words("en").add(TERMS)

    shown = show_originals(make_evidence([make_record()], experiment=noted), words)

    assert read_rows(shown)[0][2] == "~17"
    assert shown.endswith("The <code>cores</code> are counted.</p>")
    assert "derived" not in show_originals(make_evidence([make_record()], experiment=plain), words)
