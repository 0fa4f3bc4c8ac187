"""The pages of the course: each has the parts of a lesson in their order, and is as short as promised."""

import re
import subprocess
import sys

import pytest

from scripts.site.declare.lessons import LESSONS
from scripts.site.paths import DOCS
from scripts.site.study.snippets import locate

MOST_WORDS = 500
MOST_WORDS_OF_A_JOB = 45
MOST_LINES = 20
MOST_LINES_TO_FIX = 40
COURSE = ["clocks", "overlap", "pool", "gil", "processes", "races", "asyncio", "blocking", "choose"]
FIRST, *_, LAST = COURSE
PARTS = ["top", "rule", "guess", "program", "predict", "fix", "before", "deeper"]
PARTS_OF_THE_LAST = ["top", "rule", "guess", "jobs", "score", "deeper"]
PAGES = [(language, lesson) for language in ("en", "ru") for lesson in COURSE]

FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
FENCE = re.compile(r"^( *)```.*?^\1```$", re.DOTALL | re.MULTILINE)
JOB = re.compile(r'^<div class="job" markdown>$.*?^</div>$', re.DOTALL | re.MULTILINE)
FOLD = re.compile(r'^\?\?\? (\w+) "(.+)"\n((?:(?: {4}.*)?\n)+)', re.MULTILINE)
MARKUP = re.compile(r"\]\([^)]*\)|\{[^}]*\}|<[^>]+>|^\?\?\? \w+", re.MULTILINE)

on_each_page = pytest.mark.parametrize(("language", "lesson"), PAGES)


def read(language: str, lesson: str) -> str:
    path = DOCS / language / "lessons" / f"{lesson}.md"
    return FRONT_MATTER.sub("", path.read_text(encoding="utf-8"))


def split(text: str) -> dict[str, str]:
    """Split a page at its headings of the first two levels; by their ids, in order."""
    parts = re.split(r"^##? .*\{#([\w-]+)\}$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def list_folds(text: str, kind: str) -> list[tuple[str, str]]:
    """List the titles and the texts of the folds of a kind."""
    return [(title, body) for found, title, body in FOLD.findall(f"{text}\n") if found == kind]


def count_words(text: str) -> int:
    """Count the words of Markdown but for its fences; a piece of code is as many as it looks."""
    prose = MARKUP.sub(" ", FENCE.sub("", text))
    return sum(any(map(str.isalnum, word)) for word in prose.split())


def list_calls(text: str, function: str) -> list[str]:
    """List the first arguments of what the fences of a page call."""
    return re.findall(rf'\bshow\.{function}\("?([\w-]+)', text)


@on_each_page
def test_a_lesson_has_its_parts_in_order(language: str, lesson: str):
    parts = PARTS_OF_THE_LAST if lesson == LAST else [*PARTS]
    if lesson == FIRST:
        parts.remove("before")
    assert list(split(read(language, lesson))) == parts


@on_each_page
def test_a_lesson_has_at_most_500_words(language: str, lesson: str):
    assert count_words(JOB.sub("", read(language, lesson))) <= MOST_WORDS


@on_each_page
def test_a_lesson_opens_with_three_questions_and_closes_with_what_is_done(
    language: str, lesson: str
):
    parts = split(read(language, lesson))
    questions = re.findall(r"^- (.+)$", parts["top"], re.MULTILINE)
    assert len(questions) == 3
    assert all(question.endswith("?") for question in questions)
    assert list_calls(parts["deeper"], "progress") == [str(COURSE.index(lesson) + 1)]


@on_each_page
def test_a_rule_is_in_bold_and_two_guesses_or_more_have_a_picture(language: str, lesson: str):
    parts = split(read(language, lesson))
    assert re.match(r"\n+\*\*.+[.!]\*\*", parts["rule"])
    assert len(list_folds(parts["guess"], "guess")) >= 2
    ((_, picture),) = list_folds(parts["guess"], "picture")
    assert len(list_calls(picture, "drawing") + list_calls(picture, "scene")) == 1


@pytest.mark.parametrize(("language", "lesson"), [page for page in PAGES if page[1] != LAST])
def test_predictions_and_the_program_to_fix(language: str, lesson: str):
    parts = split(read(language, lesson))
    (program,) = list_calls(parts["program"], "source")
    source = locate(program).read_text(encoding="utf-8")
    assert len(source.splitlines()) <= MOST_LINES
    first, *others = list_folds(parts["predict"], "question")
    assert len(others) == 2
    assert list_calls(first[1], "snippet") == [program]
    for _, answer in others:
        assert re.search(r"\bshow\.\w+\(", answer), "no measured answer"
    (exercise,) = list_calls(parts["fix"], "lesson")
    assert int(exercise[:2]) == COURSE.index(lesson) + 1
    if lesson != FIRST:
        assert len(list_folds(parts["before"], "question")) == 1


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_last_lesson_has_ten_jobs_each_short_and_with_three_or_four_ways(language: str):
    jobs = JOB.findall(read(language, LAST))
    assert len(jobs) == 10
    for job in jobs:
        assert re.search(r"^### .+ \{#job-\w+\}$", job, re.MULTILINE)
        told = FOLD.sub("", re.sub(r"^### .*$", "", job, flags=re.MULTILINE))
        assert count_words(told) <= MOST_WORDS_OF_A_JOB, told
        ways = list_folds(job, "guess")
        assert len(ways) in (3, 4)
        for _, way in ways:
            assert list_calls(way, "regret") == ["jobs"]
            assert len(re.findall(r"[.!](?:\s|$)", FENCE.sub("", way))) == 1, way


def test_each_program_to_fix_stands_on_one_page_and_is_short():
    shown = [name for lesson in COURSE for name in list_calls(read("en", lesson), "lesson")]
    programs = sorted(LESSONS.glob("[0-9]*.py"))
    assert shown == [path.stem for path in programs]
    for path in programs:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= MOST_LINES_TO_FIX, path.name


def test_each_program_fails_as_it_is_given_and_passes_when_solved():
    command = [sys.executable, "authors.py"]
    done = subprocess.run(command, cwd=LESSONS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("One, two: [three](four/five.md#six). {#seven}", 3),
        ('??? guess "one two"\n    ```python\n    none\n    ```\n\n    three `four()` — five', 5),
    ],
)
def test_words_are_those_that_a_reader_sees(text: str, words: int):
    assert count_words(text) == words
