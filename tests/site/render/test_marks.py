"""A source's marks are one table: a row per program, our verdicts beside, and every address kept."""

import re

import pytest

from scripts.site.declare.claims import Claim, Mark, Where
from scripts.site.judge.judge import judge_records
from scripts.site.judge.verification import CheckedClaim, check_claims
from scripts.site.render.claim_list import show_marks
from scripts.site.render.words import load_words
from tests.factories import TERMS, make_experiment, make_record, make_side, make_variant
from tests.site.render.markup import read, read_ids, read_rows

EN = load_words("en").add(TERMS)
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"
TRIALS = 9


def mark(id_: str, program: str, *verdicts: str, cores: str | None = None) -> Claim:
    return Claim(
        id=id_,
        topic="marks",
        source="an-article",
        text={"en": "{verdict}", "ru": "{verdict}"},
        mark=Mark(program=make_side(program), verdicts=list(verdicts)),
        where=Where(cores=cores),
    )


@pytest.fixture
def table() -> str:
    """The pool is four times as fast as one by one, on one core and on two."""
    records = [
        make_record(make_variant(program=program, cores=cores), [wall] * TRIALS)
        for cores in (1, 2)
        for program, wall in ((SEQUENTIAL, 2.0), (POOL, 0.5))
    ]
    claims = [
        mark("mark-01", SEQUENTIAL, "no gain", "worse"),
        mark("mark-04-several", POOL, "recommended", cores="several"),
        mark("mark-04-one", POOL, "no gain", "worse", cores="one"),
    ]
    checks = check_claims(claims, judge_records(make_experiment(), records), "Linux")
    return show_marks(
        [
            CheckedClaim(
                experiment="lab",
                claim=claim,
                checks=tuple(one for one in checks if one.claim is claim),
            )
            for claim in claims
        ],
        EN,
    )


def test_a_program_has_one_row_with_the_marks_and_our_verdicts(table: str) -> None:
    sequential, pool = read_rows(table)
    assert sequential[:2] == [SEQUENTIAL, EN.term("mark", "bad")]
    assert pool[0] == POOL
    assert pool[1] == (
        f"{EN.term('mark', 'good')} on several cores {EN.term('mark', 'bad')} on one core"
    )
    assert pool[2] == "✔ recommended ✔ confirmed"
    assert pool[3] == "✔ recommended ✖ refuted"


def test_the_columns_are_the_core_counts_the_most_first(table: str) -> None:
    heads = [read(head) for head in re.findall(r'<th scope="col">(.*?)</th>', table)]
    assert heads[2:] == ["2 cores", "1 core"]


def test_the_address_of_every_mark_is_kept(table: str) -> None:
    assert read_ids(table) == ["claim-mark-01", "claim-mark-04-several", "claim-mark-04-one"]
