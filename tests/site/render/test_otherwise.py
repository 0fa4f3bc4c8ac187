"""A claim says on which other machines its answer is another, and nothing where none is."""

from dataclasses import replace

import pytest

from scripts.site.judge.margins import ClaimStatus
from scripts.site.judge.verification import Check, Elsewhere, find_otherwise
from scripts.site.render.claims import MOST_NAMED, show_claim
from scripts.site.render.words import load_words
from tests.factories import TERMS, make_machine
from tests.site.render.test_claims import check

EN = load_words("en").add(TERMS)
HERE = check()


def make_check(status: ClaimStatus, cores: int = 2) -> Check:
    return replace(HERE.checks[-1], status=status, cores=cores)


def put(machine: str, status: ClaimStatus, cores: int = 2) -> Elsewhere:
    described = make_machine(id=machine, cpu_model=f"Model {machine}")
    return Elsewhere(machine=described, check=make_check(status, cores))


@pytest.mark.parametrize(
    ("here", "there", "told"),
    [
        ("confirmed", "confirmed", False),
        ("confirmed", "refuted", True),
        ("refuted", "confirmed", True),
        ("confirmed", "undecided", False),
        ("confirmed", "not applicable", False),
        ("undecided", "confirmed", True),
        ("not applicable", "refuted", True),
    ],
)
def test_what_is_decided_otherwise_elsewhere_is_found(
    here: ClaimStatus, there: ClaimStatus, told: bool
) -> None:
    assert bool(find_otherwise([make_check(here)], [put("far", there)])) == told


def test_of_a_machine_the_most_cores_where_it_applies_count() -> None:
    others = [put("far", "refuted", 1), put("far", "confirmed", 4)]
    assert find_otherwise([make_check("confirmed")], others) == []
    others = [put("far", "confirmed", 1), put("far", "refuted", 4)]
    assert [one.check.cores for one in find_otherwise([make_check("confirmed")], others)] == [4]


def test_a_claim_names_the_machine_and_links_its_page() -> None:
    shown = show_claim(replace(HERE, elsewhere=(put("far", "refuted"),)), "../data", EN)
    assert EN.text("otherwise") in shown
    assert 'href="../en/machines/far/"' in shown
    assert "refuted" in shown
    assert EN.text("otherwise") not in show_claim(HERE, "../data", EN)


def test_of_many_machines_some_are_named_and_the_others_counted() -> None:
    many = tuple(put(f"box-{one}", "refuted") for one in range(200))
    shown = show_claim(replace(HERE, elsewhere=many), "../data", EN)
    assert shown.count("/machines/box-") == MOST_NAMED
    assert EN.count("more_machines", 200 - MOST_NAMED) in shown
