"""Choices: every answer stands on a program that is here, and no question leads to a wrong one."""

import re
from collections.abc import Iterator
from itertools import product
from typing import get_args

import pytest

from scripts.harness.record import Record
from scripts.site.declare.choices import Choice
from scripts.site.render.choices import AXES, show_choice, show_choices, show_start
from tests.declared import DECLARED
from tests.factories import make_choice, make_interpreter, make_record, make_variant, replace
from tests.site.golden import WORDS, compare
from tests.site.render.markup import make_evidence, read_rows

SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"
CHOICES = DECLARED.choices
VALUES = {
    axis: [value for value in WORDS.catalogue["choose_axis"][axis] if value != "question"]
    for axis in AXES
}


def measure(program: str = POOL, wall_s: float = 1.0, **changes: object) -> Record:
    return make_record(make_variant(program=program, **changes), [wall_s] * 5)


def show(choice: Choice, *records: Record) -> str:
    evidences = {"lab": make_evidence(records)}
    return show_choices([choice], evidences, WORDS)


def read_measured(choice: Choice, *records: Record) -> str:
    """What an answer says of measurements."""
    ((_, _, measured, *_),) = read_rows(show(choice, *records))
    return measured


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


def test_an_answer_says_everything_in_every_language() -> None:
    for choice in CHOICES:
        for text in (choice.situation, choice.advice, choice.why, choice.unless):
            assert all(one.strip() for one in text.values()), choice.id
            assert not re.search("[А-Яа-я]", text["en"]), choice.id
            assert re.search("[А-Яа-я]", text["ru"]), choice.id


def test_answers_have_addresses_that_need_no_quoting() -> None:
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", choice.id) for choice in CHOICES)


def test_whatever_is_known_of_a_task_there_is_an_answer() -> None:
    assert all(find_first(replies) for replies in list_replies())


def test_every_answer_comes_first_for_some_task() -> None:
    assert list_first() == {choice.take for choice in CHOICES}


def test_a_task_that_waits_with_a_blocking_library_is_never_given_to_asyncio_first() -> None:
    programs = list_first(work="waiting", library="blocking")
    assert programs == {"tickets/02-threads", "tickets/03-gevent"}


def test_a_task_that_waits_is_never_given_to_processes_first() -> None:
    assert not {take for take in list_first(work="waiting") if "process" in take}


def test_thousands_of_waits_are_never_given_to_a_thread_each_first() -> None:
    assert not {take for take in list_first(work="waiting", tasks="thousands") if "thread" in take}


@pytest.mark.parametrize("work", ["computing", "native", "both"])
def test_one_core_is_never_given_to_a_pool_first(work: str) -> None:
    assert not {take for take in list_first(work=work, cores="one") if "pool" in take}


def test_threads_compute_first_only_where_nothing_locks_them() -> None:
    assert not {take for take in list_first(work="computing", gil="on") if "thread" in take}
    several = list_first(work="computing", cores="several", gil="off")
    assert several == {"matrix/11-cpu-thread_pool", "free-threads/02-threads-own_sums"}


def test_c_code_that_lets_go_of_the_gil_gets_threads_first() -> None:
    threads = {"native/02-threads", "blas/03-threads"}
    assert list_first(work="native", cores="several") == threads


def test_calls_that_block_a_loop_get_threads_first_and_what_computes_there_processes() -> None:
    threads = "matrix/17-io+io_blocking-async+thread_pool", "hidden-pool/07-connections-pool"
    assert list_first(work="mixed") == {*threads, "responsiveness/03-process_pool"}
    assert list_first(work="mixed", tasks="few") == {threads[0]}


def test_an_answer_tells_the_situation_the_advice_the_measurement_and_the_reasons() -> None:
    records = [measure(SEQUENTIAL, 2.0), measure(POOL, 0.5)]
    choice = make_choice(tasks=["few", "hundreds"], why={"en": "<b>bold</b>"})
    compare("choices", show(choice, *records))
    evidences = {"lab": make_evidence(records)}
    home = make_choice(home={"en": "so it is"})
    shown = show_start([home, make_choice()], evidences, WORDS, "../choose/")
    compare("start", shown + show_choice(choice, evidences, WORDS, "../choose/"))


def test_of_several_interpreters_the_first_is_shown_and_named() -> None:
    names = ("cpython-3.13.0", "pypy-3.11.9")
    records = [measure(interpreter=name) for name in names[::-1]]
    evidences = {"lab": make_evidence(records, [make_interpreter(id=name) for name in names])}
    ((_, _, measured, *_),) = read_rows(show_choices([make_choice()], evidences, WORDS))
    assert f"[cores_nominative 1], {names[0]} " in measured


def test_a_baseline_is_not_held_against_itself() -> None:
    measured = read_measured(make_choice(take=f"lab/{SEQUENTIAL}"), measure(SEQUENTIAL, 2.0))
    assert measured.startswith("1.9 [s] ")
    assert "[faster" not in measured


def test_what_was_not_measured_is_advised_nevertheless() -> None:
    ((_, advice, measured, *_),) = read_rows(show(make_choice(), measure(SEQUENTIAL)))
    assert advice == f"en advice {POOL}"
    assert measured == "[not_measured]"


def test_an_answer_for_an_interpreter_that_is_not_here_says_so() -> None:
    told = {
        gil: read_measured(make_choice(gil=list(gil)), measure(SEQUENTIAL))
        for gil in (("off",), ("on",), ("on", "off"))
    }
    needs = "[needs_gil_off]"
    assert told == {("off",): needs, ("on",): "[not_measured]", ("on", "off"): "[not_measured]"}
    free = make_interpreter(id="cpython-3.14.0t", gil="off")
    evidences = {"lab": make_evidence([measure(gil="off", interpreter=free.id)], [free])}
    ((_, _, measured, *_),) = read_rows(show_choices([make_choice(gil=["on"])], evidences, WORDS))
    assert measured == "[needs_gil_on]"


def test_an_answer_for_little_memory_tells_how_much_less_that_is() -> None:
    light = make_record(make_variant(program=POOL), [2.0] * 5, peak_pss_bytes=25 * 2**20)
    heavy = make_record(make_variant(program=SEQUENTIAL), [2.0] * 5, peak_pss_bytes=50 * 2**20)
    little = make_choice(metric="peak_pss_bytes")
    measured = read_measured(little, light, heavy)
    assert measured.startswith("[lighter ×2.0 [one_by_one]]")
    assert f"{POOL} 25 [MiB], {SEQUENTIAL} 50 [MiB]" in measured
    assert read_measured(little, replace(light, traced=())) == "[not_measured]"


def test_what_is_no_faster_is_not_called_faster() -> None:
    measured = read_measured(make_choice(), measure(SEQUENTIAL, 1.0), measure(POOL, 2.0))
    assert measured.startswith("[faster_not ×0.47 ")


def test_an_answer_may_be_held_against_another_than_the_baseline() -> None:
    choice = make_choice(take=f"lab/{SEQUENTIAL}", against=POOL)
    measured = read_measured(choice, measure(SEQUENTIAL, 0.5), measure(POOL, 2.0))
    assert measured.startswith(f"[faster ×4.7 {POOL}]")


def test_another_size_than_the_answer_speaks_of_is_called_the_nearest() -> None:
    records = [measure(SEQUENTIAL, tasks=900), measure(tasks=900)]
    assert "[nearest]" in read_measured(make_choice(tasks=["thousands"]), *records)
    assert "[nearest]" not in read_measured(make_choice(tasks=["few", "hundreds"]), *records)


@pytest.mark.parametrize("axis", AXES)
def test_the_replies_offered_are_those_that_answers_may_name(axis: str) -> None:
    (allowed,) = get_args(Choice.__annotations__[axis])
    assert sorted(VALUES[axis]) == sorted(get_args(allowed))
    form = show(make_choice(), measure()).partition("</form>")[0]
    options = form.partition(f'<select name="{axis}">')[2].partition("</select>")[0]
    assert re.findall(r'<option value="(\w+)">', options) == VALUES[axis]
