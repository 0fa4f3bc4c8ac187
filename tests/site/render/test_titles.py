"""A chart whose title is a claim's sentence draws what the sentence is about."""

import ast
import re

import pytest

from scripts.site.declare.claims import list_sides
from scripts.site.paths import DOCS
from tests.declared import CLAIMS

TITLED = re.compile(r"^print\(show\.(.*claim=.*)\)$", re.MULTILINE)
PAGES = [path.read_text(encoding="utf-8") for path in (DOCS / "en").rglob("*.md")]
CHARTS = sorted({written for page in PAGES for written in TITLED.findall(page)})
assert len(CHARTS) > 20


@pytest.mark.parametrize("written", CHARTS)
def test_a_title_is_of_what_its_chart_draws(written: str) -> None:
    call = ast.parse(written, mode="eval").body
    assert isinstance(call, ast.Call)
    experiment, family, *given = [ast.literal_eval(one) for one in call.args]
    named = {str(one.arg): ast.literal_eval(one.value) for one in call.keywords}
    (claim,) = (one for one in CLAIMS[experiment] if one.id == named["claim"])
    assert family in {side.family for side in list_sides(claim)}
    if written.startswith("builds("):
        given = []  # further families
    plain = "inside_s" if written.startswith(("chart(", "builds(")) else ()
    metric = given[0] if given else named.get("metric", plain)
    if metric:
        metrics = {metric} if isinstance(metric, str) else {*metric}
        assert {one.metric for one in claim.all} & metrics
