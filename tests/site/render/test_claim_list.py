"""Lists tell of each claim what a reader meets first of it; no question leads to a wrong answer."""

import re
from html import unescape
from itertools import product

import pytest

from scripts.site.render.claim_list import (
    AXES,
    list_claims,
    show_answers,
    show_bar,
    show_choices,
    show_filters,
    show_findings,
    show_sizes,
)
from tests.declared import DECLARED
from tests.factories import PLAIN, make_choice, replace
from tests.site.golden import WORDS, compare
from tests.site.render.markup import make_evidence
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


CHOICES = DECLARED.choices
VALUES = {
    axis: [value for value in WORDS.catalogue["choose_axis"][axis] if value != "question"]
    for axis in AXES
}


def find_first(replies: dict[str, str]) -> str:
    """The program of the answer that fits and speaks of most replies; open on either side fits."""
    known = {axis: reply for axis, reply in replies.items() if reply}
    fitting = [
        choice
        for choice in CHOICES
        if all(reply in (getattr(choice, axis) or [reply]) for axis, reply in known.items())
    ]
    return max(fitting, key=lambda choice: sum(bool(getattr(choice, axis)) for axis in known)).take


def list_first(**known: str) -> set[str]:
    """The first programs for every way to answer the questions, some left open, with these replies."""
    offered = [[known[axis]] if axis in known else ["", *VALUES[axis]] for axis in AXES]
    return {find_first(dict(zip(AXES, replies, strict=True))) for replies in product(*offered)}


def test_every_answer_comes_first_for_some_task_and_leads_on() -> None:
    assert list_first() == {choice.take for choice in CHOICES}
    assert all(choice.answer for choice in CHOICES)


BLOCKED = {"matrix/17-io+io_blocking-async+thread_pool", "hidden-pool/07-connections-pool"}
"""Calls that block a loop get threads."""


@pytest.mark.parametrize(
    ("replies", "programs"),
    [
        ("work=waiting library=blocking", {"matrix/02-io-threads", "limits/02-greenlets"}),
        ("work=computing cores=several gil=off", {"free-threads/02-threads-own_sums"}),
        ("work=native cores=several", {"native/02-threads", "blas/03-threads"}),
        ("work=mixed", BLOCKED | {"responsiveness/03-process_pool"}),
        ("work=mixed tasks=few", {"matrix/17-io+io_blocking-async+thread_pool"}),
    ],
)
def test_a_task_is_given_first_to_what_suits_it(replies: str, programs: set[str]) -> None:
    assert list_first(**dict(one.split("=") for one in replies.split())) == programs


@pytest.mark.parametrize(
    ("replies", "program"),
    [
        ("work=waiting", "process"),
        ("work=waiting tasks=thousands", "thread"),
        ("work=computing cores=one", "pool"),
        ("work=native cores=one", "pool"),
        ("work=computing gil=on", "thread"),
    ],
)
def test_a_task_is_never_given_first_to_what_cannot_help(replies: str, program: str) -> None:
    given = list_first(**dict(one.split("=") for one in replies.split()))
    assert not {take for take in given if program in take}


def test_what_was_not_measured_is_advised_nevertheless() -> None:
    alone = [one for one in make_records() if one.program == PLAIN]
    answer = (make_choice(answer="fetch-urls"), check(records=alone), make_evidence(alone))
    told = show_choices([answer], WORDS)
    assert "[not_tried [not-measured]]" in told
    assert 'href="../answers/fetch-urls/"' in told
