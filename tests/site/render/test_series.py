"""Series: each keeps its pen from chart to chart."""

import re
from pathlib import Path

import pytest

from scripts.site.render.growth import choose_pens
from scripts.site.render.plot import show_key
from scripts.site.render.svg import SERIES, Pen
from tests.factories import make_record, make_variant
from tests.site.render.markup import make_evidence

SEQUENTIAL, POOL, PROCESSES = "01-io-sequential", "04-io-thread_pool", "12-cpu-process_pool"
EVIDENCE = make_evidence([make_record()])
STYLE_SHEET = Path(__file__).parents[3] / "docs" / "theme" / "assets" / "site.css"


def test_a_program_has_the_colour_of_its_kind_and_its_place_in_that() -> None:
    variants = [make_variant(program=program) for program in (PROCESSES, "08-cpu-sequential")]
    assert choose_pens(EVIDENCE, variants) == [Pen(2, 0), Pen(0, 1)]


def test_further_variants_of_a_program_have_pens_of_no_program() -> None:
    variants = [make_variant(program=POOL, workers=workers) for workers in (1, 2, 3)]
    variants.append(make_variant(program=SEQUENTIAL))
    assert choose_pens(EVIDENCE, variants) == [Pen(1, 0), Pen(1, 1), Pen(1, 2), Pen(0, 0)]


@pytest.mark.parametrize("colour", range(len(SERIES)))
def test_the_page_has_a_colour_in_either_theme_for_every_pen_and_its_key(colour: int) -> None:
    css = STYLE_SHEET.read_text(encoding="utf-8")
    name = f"series-{colour + 1}"
    assert name in show_key(Pen(colour))
    assert len(set(re.findall(rf"--chart-{name}: (#[0-9a-f]{{6}});", css))) == 2
    assert f".{name} {{ color: var(--chart-{name}); }}" in css
