"""Programs on pages: how to run them by hand, what they print, and archives that hold all of it."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from msgspec import structs

from making import EXITED, NOW, alter, make_record, make_variant, replace
from poolwise.declaration import Reason
from poolwise.dependencies import find_all_packages
from poolwise.experiment import Experiment
from poolwise.record import Record
from scripts.site.paths import REQUIREMENTS
from scripts.site.render.programs import (
    make_bundle,
    show_output,
    show_outputs,
    show_program,
    show_snippet,
)
from scripts.site.render.words import load_words
from scripts.site.study.snippets import Printed
from tests.declared import EXPERIMENTS
from tests.factories import PLAIN, POOL, make_experiment
from tests.site.golden import WORDS
from tests.site.render.markup import make_evidence, read

LANGUAGES = [load_words("en"), load_words("ru")]


def print_out(printed: str, program: str = POOL, **changes: object) -> Record:
    return make_record(make_variant(program=program, **changes), printed=printed)


def fail(record: Record, reason: Reason = EXITED) -> Record:
    return replace(record, status="failed", reason=reason, printed="", timed=(), traced=())


def show(*records: Record, experiment: Experiment | None = None) -> str:
    return read(show_output(make_evidence(records, experiment=experiment), WORDS, POOL))


def test_a_program_that_was_not_measured_or_failed_or_is_for_elsewhere_says_so() -> None:
    assert show(print_out("other", PLAIN)) == "[unavailable]."
    assert show(fail(print_out(""))) == "[failed]. [exited 1]"
    assert show(replace(print_out("before"), status="failed", reason=EXITED)).startswith("[failed]")
    elsewhere = alter(make_experiment(), "programs", POOL, system="Darwin")
    told = show(print_out("other", PLAIN), experiment=elsewhere)
    assert told == "[unavailable]. [wrong-system Darwin]"
    lacking = fail(print_out(""), Reason("no-wheel", {"package": "gevent"}))
    assert show(replace(lacking, status="unavailable")) == "[unavailable]. [no-wheel gevent]"


def test_what_a_program_printed_cannot_break_out_of_the_page() -> None:
    record = print_out("<script>&")
    failed = fail(record, Reason("could-not-start", {"error": "<script>&"}))
    for one in (record, failed):
        evidence = make_evidence([print_out("fine", PLAIN), one])
        for shown in (show_output(evidence, WORDS, POOL), show_outputs(evidence, WORDS, "io")):
            assert "&lt;script&gt;&amp;" in shown
            assert "<script>" not in shown


def test_printed_columns_stay_below_one_another_on_a_narrow_screen() -> None:
    shown = show_output(make_evidence([print_out("a word\nloop    1.5 <s>")]), WORDS, POOL)
    assert 'a word\n<span class="columns">loop    1.5 &lt;s&gt;</span>' in shown


def test_a_shared_file_is_folded_and_downloads_alone_without_a_command() -> None:
    (matrix,) = [one for one in EXPERIMENTS if one.name == "matrix"]
    program = show_program(matrix, WORDS, "01-io-sequential.py", "../examples")
    assert 'href="../examples/matrix.zip"' in program
    assert "python examples/matrix/01-io-sequential.py" in program
    shared = show_program(matrix, WORDS, "tasks.py", "../examples")
    assert 'href="../examples/matrix/tasks.py" download="tasks.py"' in shared
    assert "run_by_hand" not in shared
    code = shared.partition("<details")[2].partition("</details>")[0]
    assert "page_urls" in code
    assert "page_urls" not in shared.replace(code, "")


def test_the_sizes_of_a_program_stand_in_their_order() -> None:
    records = [print_out(f"{tasks} pages", tasks=tasks) for tasks in (2000, 5000, 500)]
    shown = read(show_outputs(make_evidence(records), WORDS, "io"))
    assert re.findall(r"\d+(?= pages)", shown) == ["500", "2000", "5000"]


def test_of_several_sizes_what_a_program_prints_by_hand_is_shown() -> None:
    by_hand = make_evidence([print_out("")]).experiment.program(POOL).tasks
    records = [print_out(f"{tasks} pages", tasks=tasks) for tasks in (by_hand, 5000, 500)]
    shown = read(show_outputs(make_evidence(records), WORDS, "io"))
    assert re.findall(r"\d+(?= pages)", shown) == [str(by_hand)]


def unpack(experiment: Experiment) -> dict[str, str]:
    """The files of its bundle: text by path."""
    with zipfile.ZipFile(io.BytesIO(make_bundle(experiment, LANGUAGES))) as bundle:
        return {name: bundle.read(name).decode() for name in bundle.namelist()}


def test_what_is_required_is_pinned_as_the_site_has_it() -> None:
    (matrix,) = [one for one in EXPERIMENTS if one.name == "matrix"]
    pins = find_all_packages(matrix)
    assert {"aiohttp", "trustme", "urllib3"} <= pins.keys()
    lines = [pin for versions in pins.values() for pin in versions]
    assert all(line in REQUIREMENTS.read_text(encoding="utf-8") for line in lines)
    assert unpack(matrix)["examples/matrix/requirements.txt"].splitlines() == lines


def test_a_bundle_has_the_same_bytes_every_time(tmp_path: Path) -> None:
    experiment = structs.replace(make_experiment(tmp_path), shared=("tasks.py",))
    for name in ("tasks.py", *(program.file for program in experiment.programs)):
        (tmp_path / name).write_text("pass\n", encoding="utf-8")
    first = make_bundle(experiment, LANGUAGES)
    for path in tmp_path.iterdir():
        path.touch()
    assert make_bundle(experiment, LANGUAGES) == first


def test_each_line_of_code_is_an_element_that_knows_its_indentation() -> None:
    shown = show_snippet("def f():\n\n    'Print.'\n        + 1\n", WORDS, EXITED, ())
    code = shown.partition("<code>")[2].partition("</code>")[0]
    assert re.sub("<[^>]+>", "", code) == "def f():\n\n    'Print.'\n        + 1\n"
    assert re.findall(r'class="line line-(\d+)"', code) == ["0", "4", "8"]  # but an empty one


def test_of_a_folded_snippet_only_what_it_printed_is_in_sight() -> None:
    record = Printed(snippet="answer", python="3.14", digest="0" * 16, ran_at=NOW, text="42")
    page = show_snippet("print(6 * 7)\n", WORDS, record, (), "Program")
    in_sight = re.sub("<noscript>.*?</noscript>", "", page, flags=re.DOTALL)
    assert "42" in in_sight
    assert "print(" not in in_sight


@pytest.mark.parametrize("text", ["42", ""])
@pytest.mark.parametrize("is_here", [True, False])
def test_below_a_snippet_stands_which_python_printed_it_and_that_it_is_not_here(
    text: str, is_here: bool
) -> None:
    python = "cpython 3.14.7"
    record = Printed(snippet="answer", python=python, digest="0" * 16, ran_at=NOW, text=text)
    for words in LANGUAGES:
        page = show_snippet(
            "print(6 * 7)\n", words, record, {python if is_here else "cpython 3.13.0"}
        )
        caption = read(page.partition("figcaption" if text else "by-hand")[2].partition("</")[0])
        assert f"({python}, " in caption
        assert read(words.date(NOW)) in caption
        assert (words.text("snippet_kept", python=python) in caption) is not is_here
        assert text in page
