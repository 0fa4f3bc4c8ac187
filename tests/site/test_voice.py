"""One voice: claim, verdict, title and answer come from one check, and turn together."""

from collections.abc import Sequence

from msgspec import structs

from scripts.harness.record import Record
from scripts.site.check.voice import find_objection
from scripts.site.declare.claims import Where
from scripts.site.judge.claims import check_machines
from scripts.site.judge.judge import Evidence
from scripts.site.render.claim_list import show_evidence
from scripts.site.render.claims import Summary
from scripts.site.render.words import load_words
from tests.factories import (
    PLAIN,
    POOL,
    make_choice,
    make_claim,
    make_comparison,
    make_record,
    make_variant,
)
from tests.site.render.markup import make_evidence

EN = load_words("en")
CLAIM = make_claim(
    make_comparison(margin=1.2),
    id="some-claim",
    confirmed={"en": "A pool is faster: {left}."},
    refuted={"en": "Here a loop is faster: {right}."},
    open={"en": "Too close to call."},
)
FAST, SLOW = [1.0] * 5, [3.0] * 5


def measure(plain: Sequence[float], pool: Sequence[float]) -> Evidence:
    walls = {PLAIN: plain, POOL: pool}
    records: list[Record] = []
    for name, taken in walls.items():
        records.append(make_record(make_variant(program=name), taken))
    return make_evidence(records)


def test_a_program_inverted_by_hand_turns_claim_verdict_title_and_answer_together() -> None:
    for plain, pool, verdict, said in (
        (SLOW, FAST, "recommended", "A pool is faster: 1.0 s."),
        (FAST, SLOW, "gains nothing", "Here a loop is faster: 1.0 s."),
    ):
        evidence = measure(plain, pool)
        (checked,) = check_machines("lab", [CLAIM], [evidence])
        (judged,) = evidence.rows.where(program=POOL)
        assert judged.verdict == verdict
        sentence = Summary(checked, EN).sentence
        assert sentence.striptags() == said
        assert sentence in show_evidence(make_choice(), checked, evidence, EN)
        is_bad = find_objection(POOL, checked, evidence)
        assert bool(is_bad) == (verdict == "gains nothing")


def test_advice_for_several_cores_is_not_held_against_a_machine_with_one() -> None:
    evidence = measure(plain=FAST, pool=SLOW)
    claim = structs.replace(CLAIM, where=Where(cores="several"))
    (checked,) = check_machines("lab", [claim], [evidence])
    assert not find_objection(POOL, checked, evidence)
