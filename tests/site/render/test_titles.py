"""A chart whose title is a claim's sentence draws what the sentence says, in the records shipped."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from scripts.harness.margins import DECIDED
from scripts.harness.paths import DOCS, RESULTS
from scripts.site.declare.claims import Comparison, Side, list_sides
from scripts.site.judge.claims import Check, check_machines, choose_check, choose_told, find_cell
from scripts.site.judge.judge import Evidence
from scripts.site.study.machines import OtherMachines
from tests.declared import CLAIMS, DECLARED

TITLED = re.compile(r"^print\(show\.(.*claim=.*)\)$", re.MULTILINE)
MACHINES = OtherMachines(RESULTS, "", DECLARED.experiments, warn=lambda _: None)


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


@cache
def judge(experiment: str) -> tuple[Evidence, ...]:
    return MACHINES.judge(experiment, "quick")


def find_titles(chart: Chart) -> Iterator[tuple[Evidence, Check]]:
    """The check that gives the title on each machine where it is confirmed or refuted."""
    claims = [one for one in CLAIMS[chart.experiment] if one.id == chart.claim]
    for evidence in judge(chart.experiment):
        (checked,) = check_machines(chart.experiment, claims, [evidence])
        main = choose_check(checked.checks)
        if main and main.status in DECIDED:
            yield choose_told(checked, evidence), main


def holds(comparison: Comparison, left: float, right: float) -> bool:
    """Tell whether two points, as they are drawn, stand as a comparison says."""
    margin = comparison.margin
    match comparison.relation:
        case "less":
            return left * margin < right
        case "not less":
            return left * margin > right
        case "more":
            return left > right * margin
        case "not more":
            return left < right * margin
        case _:
            return max(left, right) < min(left, right) * margin


def test_there_are_titles_to_compare() -> None:
    assert len(CHARTS) > 20


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: f"{chart.claim}-{chart.family}")
def test_a_title_is_of_what_its_chart_draws(chart: Chart) -> None:
    (claim,) = (one for one in CLAIMS[chart.experiment] if one.id == chart.claim)
    assert chart.family in {side.family for side in list_sides(claim)}
    if chart.metrics:
        assert {one.metric for one in claim.all} & {*chart.metrics}


@pytest.mark.slow
@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: f"{chart.claim}-{chart.family}")
def test_a_title_agrees_with_the_points_below_it(chart: Chart) -> None:
    for evidence, check in find_titles(chart):
        arena = evidence.rows.where(cores=check.cores, interpreter=check.interpreter)
        for finding in check.findings:
            one = finding.comparison
            if one.over or one.every or one.of_cores or not isinstance(one.right, Side):
                continue
            if one.right_python != "same" or finding.status not in DECIDED:
                continue
            cells = [find_cell(side, arena) for side in (one.left, one.right)]
            left, right = (cell.median(one.metric) if cell else None for cell in cells)
            assert [left, right] == [finding.left.median, finding.right.median]
            if left is not None and right is not None:
                assert holds(one, left, right) == (finding.status == "confirmed")
