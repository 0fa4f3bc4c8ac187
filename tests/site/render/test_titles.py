"""A chart whose title is a claim's sentence draws what the sentence is about."""

import ast
import re
from collections.abc import Iterator

import pytest

from scripts.harness.paths import DOCS
from scripts.site.declare.claims import list_sides
from tests.declared import CLAIMS

TITLED = re.compile(r"^print\(show\.(.*claim=.*)\)$", re.MULTILINE)


def list_charts() -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """List of all charts with a claim for a title the claim, experiment, family and metrics."""
    for path in sorted((DOCS / "en").rglob("*.md")):
        for written in TITLED.findall(path.read_text(encoding="utf-8")):
            call = ast.parse(written, mode="eval").body
            assert isinstance(call, ast.Call)
            given = [ast.literal_eval(one) for one in call.args]
            named = {one.arg: ast.literal_eval(one.value) for one in call.keywords}
            plain = "wall_s" if written.startswith("chart(") else ()
            metric = given[2] if len(given) > 2 else named.get("metric", plain)
            metrics = (metric,) if isinstance(metric, str) else tuple(metric)
            yield named["claim"], given[0], given[1], metrics


CHARTS = list(dict.fromkeys(list_charts()))


def test_there_are_titles_to_compare() -> None:
    assert len(CHARTS) > 20


@pytest.mark.parametrize(("id_", "experiment", "family", "metrics"), CHARTS)
def test_a_title_is_of_what_its_chart_draws(
    id_: str, experiment: str, family: str, metrics: tuple[str, ...]
) -> None:
    (claim,) = (one for one in CLAIMS[experiment] if one.id == id_)
    assert family in {side.family for side in list_sides(claim)}
    if metrics:
        assert {one.metric for one in claim.all} & {*metrics}
