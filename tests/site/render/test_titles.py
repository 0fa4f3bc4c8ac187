"""A chart whose title is a claim's sentence draws what the sentence is about."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from scripts.harness.paths import DOCS
from scripts.site.declare.claims import list_sides
from tests.declared import CLAIMS

TITLED = re.compile(r"^print\(show\.(.*claim=.*)\)$", re.MULTILINE)


class Chart(NamedTuple):
    """A chart of a page and the claim that its title is taken from; ``metrics`` are empty of any."""

    experiment: str
    family: str
    metrics: tuple[str, ...]
    claim: str


def list_charts() -> Iterator[Chart]:
    """List the charts of all pages that have a claim for a title."""
    for path in sorted((DOCS / "en").rglob("*.md")):
        for written in TITLED.findall(path.read_text(encoding="utf-8")):
            call = ast.parse(written, mode="eval").body
            assert isinstance(call, ast.Call)
            assert isinstance(call.func, ast.Name)
            given = [ast.literal_eval(one) for one in call.args]
            named = {one.arg: ast.literal_eval(one.value) for one in call.keywords}
            plain = "wall_s" if call.func.id == "chart" else ()
            metric = given[2] if len(given) > 2 else named.get("metric", plain)
            metrics = (metric,) if isinstance(metric, str) else tuple(metric)
            yield Chart(given[0], given[1], metrics, named["claim"])


CHARTS = list(dict.fromkeys(list_charts()))


def test_there_are_titles_to_compare() -> None:
    assert len(CHARTS) > 20


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: f"{chart.claim}-{chart.family}")
def test_a_title_is_of_what_its_chart_draws(chart: Chart) -> None:
    (claim,) = (one for one in CLAIMS[chart.experiment] if one.id == chart.claim)
    assert chart.family in {side.family for side in list_sides(claim)}
    if chart.metrics:
        assert {one.metric for one in claim.all} & {*chart.metrics}
