"""Choices: every answer stands on a program that is here, and no question leads to a wrong one."""

import re
from collections.abc import Iterator
from itertools import product
from typing import get_args

import pytest

from scripts.harness.record import Record
from scripts.harness.texts import list_languages
from scripts.site.declare.choices import Choice
from scripts.site.render.choices import AXES, show_choices
from scripts.site.render.estimates import format_value
from scripts.site.render.words import load_words
from tests.declared import DECLARED
from tests.factories import make_choice, make_interpreter, make_record, make_variant, replace
from tests.site.render.markup import make_evidence, read, read_rows

EN = load_words("en")
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"
CHOICES = DECLARED.choices
VALUES = {
    axis: [value for value in EN.catalogue["choose_axis"][axis] if value != "question"]
    for axis in AXES
}


def measure(program: str = POOL, wall_s: float = 1.0, **changes: object) -> Record:
    return make_record(make_variant(program=program, **changes), [wall_s] * 5)


def show(choice: Choice, *records: Record, language: str = "en") -> str:
    evidences = {"lab": make_evidence(records)}
    return show_choices([choice], evidences, load_words(language))


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


def test_of_several_interpreters_the_first_is_shown_and_named() -> None:
    records = [
        measure(wall_s=1.0, interpreter="pypy-3.11.9"),
        measure(wall_s=2.0, interpreter="cpython-3.13.0"),
    ]
    interpreters = [make_interpreter(id=name) for name in ("cpython-3.13.0", "pypy-3.11.9")]
    evidences = {"lab": make_evidence(records, interpreters)}
    ((_, _, measured, *_),) = read_rows(show_choices([make_choice()], evidences, EN))
    assert "30 tasks, 1 worker, 1 core, cpython-3.13.0 time inside" in measured


@pytest.mark.parametrize("language", list_languages())
def test_a_row_tells_the_situation_the_advice_the_measurement_and_the_reasons(
    language: str,
) -> None:
    records = [measure(SEQUENTIAL, 2.0), measure(POOL, 0.5)]
    ((situation, advice, measured, why, unless),) = read_rows(
        show(make_choice(), *records, language=language)
    )
    words = load_words(language)
    assert situation == f"{language} situation #"
    assert advice == f"{language} advice {POOL}"
    assert (why, unless) == (f"{language} why", f"{language} unless")
    gain = words.term("choose", "faster")
    one_by_one = words.term("choose", "one_by_one")
    assert measured.startswith(gain.format(ratio=words.ratio(4.74), other=one_by_one))
    for program, inside_s in ((SEQUENTIAL, 1.9), (POOL, 0.4)):
        assert f"{program} {read(format_value(inside_s, 'inside_s', words))}" in measured
    assert read(words.count("tasks", 30)) in measured
    assert measured.endswith(f"✔ {words.term('verdict', 'recommended')}")


def test_a_baseline_is_not_held_against_itself() -> None:
    shown = show(make_choice(take=f"lab/{SEQUENTIAL}"), measure(SEQUENTIAL, 2.0))
    measured = read_rows(shown)[0][2]
    assert measured.startswith("1.9 s Waiting (I/O): 30 tasks, 1 worker, 1 core time inside")
    assert "faster" not in measured


def test_what_was_not_measured_is_advised_nevertheless() -> None:
    ((_, advice, measured, *_),) = read_rows(show(make_choice(), measure(SEQUENTIAL)))
    assert advice == f"en advice {POOL}"
    assert measured == EN.text("not_measured")


@pytest.mark.parametrize("language", list_languages())
def test_an_answer_for_an_interpreter_that_is_not_here_says_so(language: str) -> None:
    words = load_words(language)

    def show_one(*gil: str) -> str:
        return read_rows(show(make_choice(gil=list(gil)), measure(SEQUENTIAL), language=language))[
            0
        ][2]

    assert show_one("off") == words.term("choose", "needs_gil_off") != "needs_gil_off"
    assert show_one("on") == show_one("on", "off") == words.text("not_measured")


def test_an_answer_for_the_gil_is_not_there_where_every_interpreter_is_without() -> None:
    free = make_interpreter(id="cpython-3.14.0t", gil="off")
    evidences = {"lab": make_evidence([measure(gil="off", interpreter=free.id)], [free])}
    ((_, _, measured, *_),) = read_rows(show_choices([make_choice(gil=["on"])], evidences, EN))
    assert measured == "Needs a Python with the GIL"


def test_an_answer_for_little_memory_tells_how_much_less_that_is() -> None:
    light = make_record(make_variant(program=POOL), [2.0] * 5, peak_pss_bytes=25 * 2**20)
    heavy = make_record(make_variant(program=SEQUENTIAL), [2.0] * 5, peak_pss_bytes=50 * 2**20)
    little = make_choice(metric="peak_pss_bytes")
    measured = read_rows(show(little, light, heavy))[0][2]
    assert measured.startswith("×2.0 less memory than one by one")
    assert f"{POOL} 25 MiB, {SEQUENTIAL} 50 MiB" in measured
    assert read_rows(show(little, replace(light, traced=())))[0][2] == EN.text("not_measured")


def test_what_is_no_faster_is_not_called_faster() -> None:
    measured = read_rows(show(make_choice(), measure(SEQUENTIAL, 1.0), measure(POOL, 2.0)))[0][2]
    assert measured.startswith("×0.47: no faster than one by one")


def test_an_answer_may_be_held_against_another_than_the_baseline() -> None:
    records = [measure(SEQUENTIAL, 0.5), measure(POOL, 2.0)]
    choice = make_choice(take=f"lab/{SEQUENTIAL}", against=POOL)
    measured = read_rows(show(choice, *records))[0][2]
    assert measured.startswith(f"×4.7 faster than {POOL}")
    assert "verdict" not in measured  # that is of the whole family


def test_it_names_what_else_is_recommended_for_the_same_work() -> None:
    records = [measure(SEQUENTIAL, 4.0), measure(POOL, 2.0), measure("06-io-async", 0.5)]
    measured = read_rows(show(make_choice(), *records))[0][2]
    assert measured.endswith("works, costs more ; recommended here: 06-io-async")


@pytest.mark.parametrize(
    ("size", "tasks", "is_of_size"),
    [("few", 30, True), ("hundreds", 240, True), ("thousands", 900, False)],
)
def test_the_size_shown_is_the_nearest_to_that_of_the_answer_and_is_called_so(
    size: str, tasks: int, *, is_of_size: bool
) -> None:
    records = [
        measure(program, tasks=tasks) for program in (SEQUENTIAL, POOL) for tasks in (30, 240, 900)
    ]
    measured = read_rows(show(make_choice(tasks=[size]), *records))[0][2]
    assert f"{tasks} tasks" in measured
    assert ("the nearest size measured" in measured) == (not is_of_size)


def test_an_answer_for_any_number_of_tasks_is_shown_with_those_that_it_names_last() -> None:
    records = [
        measure(program, tasks=tasks) for program in (SEQUENTIAL, POOL) for tasks in (300, 9000)
    ]
    choice = make_choice(tasks=["few", "thousands", "hundreds"])
    assert "300 tasks" in read_rows(show(choice, *records))[0][2]


def test_a_size_at_which_it_can_be_held_against_something_is_preferred() -> None:
    records = [measure(SEQUENTIAL, tasks=30), measure(tasks=30), measure(tasks=900)]
    assert "30 tasks" in read_rows(show(make_choice(), *records))[0][2]


@pytest.mark.parametrize("language", list_languages())
def test_every_cell_tells_whose_column_it_is_of_as_the_head_does(language: str) -> None:
    shown = show(make_choice(), measure(), language=language)
    heads = [read(head) for head in re.findall(r'<th scope="col">(.*?)</th>', shown)]
    assert re.findall(r'<td [^>]*data-label="([^"]*)"', shown) == heads[1:]


def test_an_answer_has_an_address_and_leads_to_its_program() -> None:
    shown = show(make_choice(), measure())
    assert 'id="choice-some-choice"' in shown
    assert 'href="#choice-some-choice"' in shown
    assert 'href="../lab/#p04"' in shown


def test_an_answer_carries_what_it_is_for_so_that_a_script_can_choose() -> None:
    shown = show(make_choice(tasks=["few", "hundreds"]), measure())
    assert 'data-work="waiting"' in shown
    assert 'data-tasks="few hundreds"' in shown
    assert 'data-memory=""' in shown


@pytest.mark.parametrize("language", list_languages())
def test_each_question_offers_every_reply_in_the_language_of_the_page(language: str) -> None:
    words = load_words(language)
    form = show(make_choice(), measure(), language=language).partition("</form>")[0]
    for axis in AXES:
        texts = words.catalogue["choose_axis"][axis]
        question = form.partition(f'<select name="{axis}">')
        assert question[0].endswith(f"<label>{texts['question']} ")
        options = re.findall(
            r'<option value="(\w*)">([^<]+)', question[2].partition("</select>")[0]
        )
        assert dict(options) == {
            "": words.term("choose", "any"),
            **{value: texts[value] for value in VALUES[axis]},
        }
    assert "<noscript><style>.choices-form{display:none!important}</style></noscript>" in form
    assert 'aria-live="polite"' in form


@pytest.mark.parametrize("axis", AXES)
def test_the_replies_offered_are_those_that_answers_may_name(axis: str) -> None:
    (allowed,) = get_args(Choice.__annotations__[axis])
    assert sorted(VALUES[axis]) == sorted(get_args(allowed))


def test_an_answer_cannot_break_out_of_the_page() -> None:
    shown = show(make_choice(why={"en": "<b>bold</b>"}), measure())
    assert "<b>" not in shown
    assert "&lt;b&gt;bold" in shown
