"""Lists and badges tell of each claim what a reader meets first of it."""

import re
from html import unescape

from scripts.site.render.claim_list import (
    list_claims,
    show_answers,
    show_bar,
    show_filters,
    show_findings,
    show_sizes,
)
from tests.factories import replace
from tests.site.golden import WORDS, compare
from tests.site.render.test_claims import CLAIM, change, check, make_records

OTHER = change(id="another", topic="memory", source="us", origin="")


def test_a_list_has_a_row_a_claim_with_what_its_form_goes_by() -> None:
    both = [check(), check(OTHER)]
    rows = list_claims(both, WORDS, dict.fromkeys([one.claim.id for one in both], "../lab/"))
    form = show_filters(both, WORDS)
    compare("claim-list", form + rows)
    offered = re.findall(r'<option value="([^"]+)">', form)
    assert [one for one in offered if f'"{one}"' not in unescape(rows)] == [
        "refuted",
        "borderline",
        "open",
        "not applicable",
        "not measured",
    ]


def test_pages_open_with_what_is_decided_alone() -> None:
    noisy = check(records=make_records((0.2, 1.9, 1.0, 0.5, 0.7)))
    assert show_findings([noisy, replace(check(), checks=())], WORDS, {}) == ""


def test_checks_that_come_out_otherwise_at_other_sizes_are_linked() -> None:
    shown, homes = check(), {CLAIM.id: "../lab/"}
    turned = check(records=make_records((1.5,) * 5)).checks
    noisy = check(records=make_records((0.2, 1.9, 1.0, 0.5, 0.7))).checks
    same = show_sizes([shown], shown.checks, WORDS, homes)
    assert "[sizes_same 1 [checks_of 1]]" in same
    assert "<li>" not in same
    mixed = show_sizes([shown], turned, WORDS, homes)
    assert "[sizes_same 0 [checks_of 1]]" in mixed
    assert mixed.count('href="../lab/#claim-pool-is-faster"') == 1
    assert "[confirmed] → [refuted]" in mixed
    # What is open at the other size tells nothing of this one, and what is open here is told of there.
    assert show_sizes([shown], noisy, WORDS, homes) == ""
    settled = show_sizes([replace(shown, checks=noisy)], shown.checks, WORDS, homes)
    assert settled.count("[open] → [confirmed]") == 1


def test_an_answer_has_the_numbers_of_its_claim_whether_they_decide_it_or_not() -> None:
    noisy = check(records=make_records((0.2, 1.9, 1.0, 0.5, 0.7)))
    rows = [("a/", "A", check()), ("b/", "B", noisy), ("c/", "C", None)]
    decided, undecided, nothing = show_answers(rows, WORDS).split("<li>")[1:]
    assert "A pool takes <strong>0.50" in decided
    assert "[open]" in undecided
    assert "A pool takes <strong>0.70" in undecided
    assert "<br>" not in nothing


def test_what_was_not_measured_yet_is_not_called_inapplicable() -> None:
    nothing = replace(check(), checks=())
    for shown in (
        list_claims([nothing], WORDS, {nothing.claim.id: ""}),
        show_bar([nothing], WORDS),
    ):
        assert "[not measured]" in shown
        assert "[not applicable]" not in shown
