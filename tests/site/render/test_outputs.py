"""Outputs: what programs printed, where that is what they are for."""

import pytest

from scripts.harness.declaration import Reason
from scripts.harness.experiment import Experiment
from scripts.harness.record import Record
from scripts.harness.texts import list_languages
from scripts.site.render.programs import show_output, show_outputs
from scripts.site.render.words import load_words
from tests.factories import EXITED, alter, make_experiment, make_record, make_variant, replace
from tests.site.render.markup import make_evidence, read, read_rows

EN = load_words("en")
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"


def print_out(printed: str, program: str = POOL, **changes: object) -> Record:
    return make_record(make_variant(program=program, **changes), printed=printed)


def fail(record: Record) -> Record:
    return replace(record, status="failed", reason=EXITED, printed="", timed=(), traced=())


def show(*records: Record, experiment: Experiment | None = None, language: str = "en") -> str:
    return show_output(make_evidence(records, experiment=experiment), load_words(language), POOL)


def test_each_program_of_a_family_has_a_row_with_what_it_printed() -> None:
    records = [
        print_out("counted to 3", SEQUENTIAL),
        print_out("counted to 2"),
        print_out("no", "08-cpu-sequential", family="cpu"),
    ]
    assert read_rows(show_outputs(make_evidence(records), EN, "io")) == [
        [SEQUENTIAL, "counted to 3"],
        [POOL, "counted to 2"],
    ]


def test_start_methods_are_told_apart() -> None:
    records = [print_out(f"by {method}", start_method=method) for method in ("fork", "spawn")]
    assert read_rows(show_outputs(make_evidence(records), EN, "io")) == [
        [f"{POOL} fork", "by fork"],
        [f"{POOL} spawn", "by spawn"],
    ]


def test_a_program_that_printed_nothing_says_why() -> None:
    records = [print_out("fine", SEQUENTIAL), fail(print_out(""))]
    assert read_rows(show_outputs(make_evidence(records), EN, "io"))[1] == [
        POOL,
        "exited with status 1",
    ]


def test_programs_lead_to_where_they_are_shown() -> None:
    assert 'href="#p04"' in show_outputs(make_evidence([print_out("fine")]), EN, "io")


@pytest.mark.parametrize("language", list_languages())
@pytest.mark.parametrize("ends", ["well", "error", "timeout"])
def test_an_output_tells_how_its_program_ends(ends: str, language: str) -> None:
    experiment = alter(make_experiment(), "programs", POOL, ends=ends)
    shown = read(show(print_out("waiting"), experiment=experiment, language=language))
    words = load_words(language)
    assert words.catalogue["ends"][ends] in shown
    assert shown.startswith(words.text("printed"))
    assert shown.endswith("waiting")


def test_an_output_is_that_on_the_most_cores() -> None:
    shown = read(show(*(print_out(f"on {cores} cores", cores=cores) for cores in (1, 4, 2))))
    assert shown.endswith("on 4 cores")


def test_an_output_is_of_its_program_alone() -> None:
    assert "other" not in show(print_out("other", SEQUENTIAL), print_out("own"))


def test_the_lines_of_an_output_stay_lines() -> None:
    assert "first\n  second" in show(print_out("first\n  second"))


@pytest.mark.parametrize("language", list_languages())
def test_a_program_that_was_not_measured_or_failed_says_so(language: str) -> None:
    words = load_words(language)
    statuses = words.catalogue["status"]
    absent = read(show(print_out("other", SEQUENTIAL), language=language))
    assert absent == f"{statuses['unavailable']}."
    failed = read(show(fail(print_out("")), language=language))
    assert failed == f"{statuses['failed']}. {words.reason(EXITED)}"


@pytest.mark.parametrize("language", list_languages())
def test_a_program_that_is_for_elsewhere_says_so(language: str) -> None:
    experiment = alter(make_experiment(), "programs", POOL, system="Darwin")
    words = load_words(language)
    shown = read(show(print_out("other", SEQUENTIAL), experiment=experiment, language=language))
    assert (
        shown
        == f"{words.term('status', 'unavailable')}. {words.reason(Reason('wrong-system', {'system': 'Darwin'}))}"
    )


def test_a_program_that_failed_in_the_end_does_not_pass_for_what_it_printed_before() -> None:
    failed = replace(print_out("fine"), status="failed", reason=EXITED)
    assert read(show(failed)) == "failed. exited with status 1"
    rows = read_rows(show_outputs(make_evidence([print_out("fine", SEQUENTIAL), failed]), EN, "io"))
    assert rows[1] == [POOL, "exited with status 1"]


def test_what_a_program_printed_cannot_break_out_of_the_page() -> None:
    record = print_out("<script>&")
    failed = replace(fail(record), reason=Reason("could-not-start", {"error": "<script>&"}))
    blocks = [show(one) for one in (record, failed)]
    fine = print_out("fine", SEQUENTIAL)
    blocks += [show_outputs(make_evidence([fine, one]), EN, "io") for one in (record, failed)]
    for shown in blocks:
        assert "&lt;script&gt;&amp;" in shown
        assert "<script>" not in shown


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "not measured. there is no wheel of gevent for this Python"),
        ("ru", "не измерено. для этого Python нет готового пакета (wheel) gevent"),
    ],
)
def test_a_program_without_one_of_its_packages_names_it(language: str, said: str) -> None:
    lacking = replace(
        make_record(),
        status="unavailable",
        reason=Reason("no-wheel", {"package": "gevent"}),
        timed=(),
    )
    shown = show_output(make_evidence([lacking]), load_words(language), lacking.variant.program)
    assert read(shown) == said
