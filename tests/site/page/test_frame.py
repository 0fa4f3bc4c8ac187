"""The frame of a block: it says where the numbers come from, and when there are none."""

import logging
from collections.abc import Sequence
from typing import Any

import pytest

from scripts.harness.declaration import Code, Reason
from scripts.harness.record import Record
from scripts.site.judge.judge import Evidence
from scripts.site.page import context
from scripts.site.page.context import Place
from scripts.site.page.frame import show_measured
from scripts.site.render.words import Words, load_words
from tests.factories import EXITED, make_interpreter, make_record, make_variant, replace
from tests.site.render.markup import make_evidence, read

EN = load_words("en")


@pytest.fixture(autouse=True)
def page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "_place", Place(source="theory/gil.md", url="theory/gil/"))


def draw(evidence: Evidence, words: Words) -> str:
    del evidence, words
    return '<a href="#p01">01</a><a href="#picture">picture</a>'


def fail(record: Record) -> Record:
    return replace(record, status="failed", reason=EXITED, timed=(), traced=())


def test_links_to_programs_lead_to_their_page_and_others_stay() -> None:
    shown = show_measured(make_evidence([make_record()]), draw)
    assert 'href="../../../en/lab/#p01"' in shown
    assert 'href="#picture"' in shown


def test_below_a_block_stand_machine_interpreter_and_the_data_of_what_it_is_about() -> None:
    evidence = make_evidence([make_record()])
    assert "Example CPU, cpython 3.13.0" in read(show_measured(evidence, draw))
    for families, data, name in (
        ([], "", "lab"),
        (["io", "cpu"], "", "lab"),
        (["io"], "", "lab-io"),
        (["io"], "lab-io-traces", "lab-io-traces"),
    ):
        shown = show_measured(evidence, draw, families, data=data)
        assert f'href="../../../data/{name}.csv"' in shown


def test_what_has_no_number_is_not_said_to_be_measured() -> None:
    for records, programs in (([fail(make_record())], ()), ([make_record()], ["tasks"])):
        shown = show_measured(make_evidence(records), draw, programs=programs, everywhere=True)
        assert "Measured on" not in read(shown)


def draw_chart(evidence: Evidence, words: Words) -> str:
    del evidence, words
    return (
        '<figure class="chart" id="chart-lab-io" data-x><figcaption>A &amp; B</figcaption></figure>'
    )


@pytest.mark.parametrize("root", ["", "https://fork.example/fork"])
def test_a_chart_can_be_quoted_with_its_machine_its_day_and_its_address(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITE_URL", root)
    shown = show_measured(make_evidence([make_record()]), draw_chart)
    quoted = read(shown.partition("<cite>")[2].partition("</cite>")[0])
    assert quoted.startswith("A & B. Measured on Example CPU, cpython 3.13.0")
    assert "2 January 2026" in quoted
    assert quoted.endswith(f"{root}/en/theory/gil/#chart-lab-io".removeprefix("/"))


def run_on(version: str, family: str = "io", trials: int = 3) -> Record:
    program = {"io": "01-io-sequential", "cpu": "08-cpu-sequential"}[family]
    variant = make_variant(program=program, family=family, interpreter=f"cpython-{version}")
    return make_record(variant, [1.0] * trials)


def read_provenance(evidence: Evidence, families: Sequence[str] = (), **chosen: Any) -> str:
    return read(show_measured(evidence, draw, families, **chosen)).partition("Measured on ")[2]


def test_interpreters_stand_in_the_order_of_their_versions_where_all_are_shown() -> None:
    versions = ("3.13.0", "3.9.18", "3.10.13")
    names = [make_interpreter(id=f"cpython-{version}", version=version) for version in versions]
    evidence = make_evidence(map(run_on, versions), names)
    everywhere = read_provenance(evidence, everywhere=True)
    assert "cpython 3.9.18, cpython 3.10.13, cpython 3.13.0, profile" in everywhere
    assert "Example CPU, cpython 3.13.0, profile" in read_provenance(evidence)


def test_only_the_interpreters_of_what_is_shown_are_named() -> None:
    names = [make_interpreter(id=f"cpython-{v}", version=v) for v in ("3.13.0", "3.9.18")]
    records = [run_on("3.13.0", "cpu"), run_on("3.9.18", "io"), fail(run_on("3.13.0", "io"))]
    evidence = make_evidence(records, names)
    for families, said in ((["cpu"], "3.13.0"), (["io"], "3.9.18")):
        assert f"Example CPU, cpython {said}, " in read_provenance(
            evidence, families, everywhere=True
        )


@pytest.mark.parametrize(
    ("language", "several", "alike"),
    [
        ("en", "1–3 trials of each program.", "3 trials of each program."),
        ("ru", "1–3 замера каждой программы.", "3 замера каждой программы."),
    ],
)
def test_how_many_trials_there_were_is_told_of_the_programs_that_are_shown(
    monkeypatch: pytest.MonkeyPatch, language: str, several: str, alike: str
) -> None:
    monkeypatch.setattr(context, "_place", Place(language=language, url="theory/gil/"))
    once = make_record(make_variant(program="04-io-thread_pool"), [1.0])
    evidence = make_evidence([run_on("3.13.0"), once, run_on("3.13.0", "cpu", trials=9)])
    for programs, said in (((), several), (["01-io-sequential"], alike)):
        shown = read(show_measured(evidence, draw, ["io"], programs=programs))
        assert f", {said} " in shown


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("left-out", True),
        ("measuring-off", True),
        ("another-machine", False),
        ("no-baseline", False),
    ],
)
def test_what_was_never_run_says_why_instead_of_being_drawn(
    monkeypatch: pytest.MonkeyPatch, language: str, code: Code, hint: bool
) -> None:
    monkeypatch.setattr(context, "_place", Place(language=language, url="theory/gil/"))
    words, reason = load_words(language), Reason(code)
    absent = replace(fail(make_record()), status="unavailable", reason=reason)
    evidence = replace(make_evidence([absent]), absence=reason)
    shown = read(show_measured(evidence, draw))
    assert f"{words.text('not_measured')}: {words.reason(reason)}." in shown
    assert ("make site" in shown) is hint
    assert "picture" not in shown


def test_of_records_that_are_no_longer_valid_it_says_so_and_with_which_packages() -> None:
    pins = {"gevent": "gevent==26.9.0 ; platform_machine != 'x'", "urllib3": "urllib3==2.8.0"}
    old = replace(make_record(), packages=pins)
    evidence = make_evidence([old])
    assert EN.text("outdated") not in read_provenance(evidence)
    said = read_provenance(replace(evidence, outdated=frozenset([old.variant])))
    assert f"{EN.text('outdated')} Packages then: gevent 26.9.0, urllib3 2.8.0." in said
    fresh = replace(evidence, outdated=frozenset([make_variant(program="another")]))
    assert EN.text("outdated") not in read_provenance(fresh)


def test_a_failure_is_warned_of_with_page_and_program_where_its_family_is_shown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    cpu = make_variant(program="08-cpu-sequential", family="cpu")
    evidence = make_evidence([make_record(), fail(make_record(cpu))])
    with caplog.at_level(logging.WARNING):
        show_measured(evidence, draw, ["io"])
        assert caplog.messages == []
        show_measured(evidence, draw, ["cpu"])
        show_measured(evidence, draw)
    assert len(caplog.messages) == 2
    for message in caplog.messages:
        assert message.startswith(
            "theory/gil.md: lab/08-cpu-sequential (cpu) on 1 core with cpython-3.13.0: failed"
        )


def test_what_programs_said_is_told_once_and_its_last_line_with_each(
    caplog: pytest.LogCaptureFixture,
) -> None:
    said = "Traceback (most recent call last):\nSystemError: unknown slot ID 85"
    cpu = make_variant(program="08-cpu-sequential", family="cpu")
    failed = [replace(fail(one), stderr=said) for one in (make_record(), make_record(cpu))]
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            show_measured(make_evidence(failed), draw)
    assert len(caplog.messages) == 4
    assert all("exited with status 1: SystemError: unk" in one for one in caplog.messages)
    assert sum("Traceback" in one for one in caplog.messages) == 1


def test_where_failures_are_told_only_they_are_no_warning(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAILURES", "tell")
    with caplog.at_level(logging.INFO):
        show_measured(make_evidence([fail(make_record())]), draw)
    (told,) = caplog.records
    assert told.levelno == logging.INFO
    assert "lab/" in told.getMessage()


def test_a_block_says_that_its_machine_was_limited() -> None:
    evidence = make_evidence([make_record()])
    limited = replace(evidence, machine=replace(evidence.machine, affinity=(0,)))
    assert "limited to 1 of 2" in read_provenance(limited)
    assert "limited" not in read_provenance(evidence)
