"""Choices: every answer stands on a program that is here, and no question leads to a wrong one."""

from collections.abc import Iterator
from itertools import product

import pytest

from scripts.harness.record import Record
from scripts.site.declare.declarations import Choice
from scripts.site.judge.claims import CheckedClaim, check_machines
from scripts.site.judge.judge import Evidence
from scripts.site.render.claim_list import AXES, show_choices, show_evidence
from tests.declared import DECLARED
from tests.factories import (
    PLAIN,
    POOL,
    make_choice,
    make_claim,
    make_comparison,
    make_record,
    make_variant,
    say,
)
from tests.site.golden import WORDS
from tests.site.render.markup import make_evidence, read

CHOICES = DECLARED.choices
VALUES = {
    axis: [value for value in WORDS.catalogue["choose_axis"][axis] if value != "question"]
    for axis in AXES
}


def measure(program: str = POOL, wall_s: float = 1.0, **changes: object) -> Record:
    return make_record(make_variant(program=program, **changes), [wall_s] * 5)


def answer(*records: Record, **changes: object) -> tuple[Choice, CheckedClaim, Evidence]:
    """An answer that takes the pool, by the claim that it is at least 1.2 times as fast."""
    claim = make_claim(make_comparison(margin=1.2), id="some-claim", **say("{left}, {right}"))
    evidence = make_evidence(records)
    (checked,) = check_machines("lab", [claim], [evidence])
    return make_choice(**changes), checked, evidence


def read_evidence(*records: Record, **changes: object) -> str:
    """What an answer says of measurements."""
    return read(show_evidence(*answer(*records, **changes), WORDS))


def list_replies(**known: str) -> Iterator[dict[str, str]]:
    """Every way to answer the questions, some left open, with ``known`` replies among them."""
    for values in product(
        *([known[axis]] if axis in known else ["", *VALUES[axis]] for axis in AXES)
    ):
        yield dict(zip(AXES, values, strict=True))


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
    return {find_first(replies) for replies in list_replies(**known)}


def test_every_answer_comes_first_for_some_task() -> None:
    assert list_first() == {choice.take for choice in CHOICES}


def test_a_task_that_waits_with_a_blocking_library_is_never_given_to_asyncio_first() -> None:
    programs = list_first(work="waiting", library="blocking")
    assert programs == {"matrix/02-io-threads", "limits/02-greenlets"}


def test_a_task_that_waits_is_never_given_to_processes_first() -> None:
    assert not {take for take in list_first(work="waiting") if "process" in take}


def test_thousands_of_waits_are_never_given_to_a_thread_each_first() -> None:
    assert not {take for take in list_first(work="waiting", tasks="thousands") if "thread" in take}


@pytest.mark.parametrize("work", ["computing", "native"])
def test_one_core_is_never_given_to_a_pool_first(work: str) -> None:
    assert not {take for take in list_first(work=work, cores="one") if "pool" in take}


def test_threads_compute_first_only_where_nothing_locks_them() -> None:
    assert not {take for take in list_first(work="computing", gil="on") if "thread" in take}
    several = list_first(work="computing", cores="several", gil="off")
    assert several == {"free-threads/02-threads-own_sums"}


def test_c_code_that_lets_go_of_the_gil_gets_threads_first() -> None:
    threads = {"native/02-threads", "blas/03-threads"}
    assert list_first(work="native", cores="several") == threads


def test_calls_that_block_a_loop_get_threads_first_and_what_computes_there_processes() -> None:
    threads = "matrix/17-io+io_blocking-async+thread_pool", "hidden-pool/07-connections-pool"
    assert list_first(work="mixed") == {*threads, "responsiveness/03-process_pool"}
    assert list_first(work="mixed", tasks="few") == {threads[0]}


def test_every_choice_leads_on_to_an_answer() -> None:
    assert all(choice.answer for choice in CHOICES)
    told = show_choices([answer(measure(), answer="fetch-urls")], WORDS)
    assert 'href="../answers/fetch-urls/"' in told


def test_what_was_not_measured_is_advised_nevertheless() -> None:
    assert read_evidence(measure(PLAIN)) == "[not_tried [not-measured]]"
