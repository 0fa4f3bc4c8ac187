"""Sources are read as they are now; what they say by hand is so: snippets, code, the Method's numbers."""

import ast
import re
from pathlib import Path

import pytest

from poolwise.dependencies import PROTOCOL
from poolwise.experiment import BUDGETS_S
from scripts.site.declare.texts import list_languages
from scripts.site.judge.rounds import LEVELS
from scripts.site.page.sources import read_source
from scripts.site.paths import DOCS
from scripts.site.study.snippets import SNIPPETS, list_snippets

LONGEST_TYPED = 10
"""Lines of code on a page that no build runs: a fragment, which shows a call; programs are files."""
SESSIONS = {
    name.rpartition("-")[0]: needs.tool for name, needs in list_snippets().items() if needs.tool
}
SHOWN = re.compile(r'show\.snippet\("([^"]+)"')
TYPED = re.compile(r"^```python *\n(.*?)^```", re.MULTILINE | re.DOTALL)
SPELT_S = {
    "twelve minutes": 720,
    "three hours": 10_800,
    "двенадцать минут": 720,
    "три часа": 10_800,
}
VERSION = re.compile(r"^\| (\d+) \| (\d{4}-\d{2}-\d{2}) \| \S", re.MULTILINE)
EVERY_LANGUAGE = pytest.mark.parametrize("language", list_languages())


def read_method(language: str, begin: str = "") -> str:
    """The page *Method* from a mark on."""
    page = (DOCS / language / "method.md").read_text(encoding="utf-8")
    return page[page.index(begin) :]


@EVERY_LANGUAGE
def test_every_snippet_is_shown_and_code_typed_on_a_page_is_a_fragment_in_python(
    language: str,
) -> None:
    shown = set()
    for page in (DOCS / language).rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        shown.update(SHOWN.findall(text))
        for code in TYPED.findall(text):
            compile(code, page.name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            assert len(code.splitlines()) <= LONGEST_TYPED, f"{page.name}: {code}"
    assert shown == {path.stem for path in SNIPPETS.glob("*.py")} | SESSIONS.keys()


@EVERY_LANGUAGE
@pytest.mark.parametrize("session", SESSIONS)
def test_a_page_has_the_files_and_the_command_of_its_session(session: str, language: str) -> None:
    pages = (page.read_text(encoding="utf-8") for page in (DOCS / language).rglob("*.md"))
    (text,) = (text for text in pages if f'show.snippet("{session}"' in text)
    for file in (SNIPPETS / session).glob("*.*"):
        fence = f'title="{file.name}"\n{file.read_text(encoding="utf-8")}```\n'
        assert fence in text
    assert f"```console\n$ poolwise {SESSIONS[session]}\n```\n" in text


def test_each_version_of_the_protocol_is_explained_newest_first_with_one_date() -> None:
    sections = [read_method(one, "{#protocol}").partition("\n## ")[0] for one in list_languages()]
    english, *others = map(VERSION.findall, sections)
    numbers, dates = zip(*english, strict=True)
    assert [*map(int, numbers)] == list(range(PROTOCOL, 0, -1))
    assert [*dates] == sorted(dates, reverse=True)
    assert all(other == english for other in others)


@EVERY_LANGUAGE
def test_the_steps_and_the_budgets_of_further_rounds_are_those_there_are(language: str) -> None:
    rest = read_method(language, "{#rounds}")
    steps = re.search(rf"\b{LEVELS[0]}, {LEVELS[1]}\b[^.;]*\b{LEVELS[-1]}\b", rest)
    assert steps
    assert tuple(map(int, re.findall(r"\d+", steps[0]))) == LEVELS
    told = re.search(r"`quick` \D{,80}?,\D*`full` \D*`smoke`", read_method(language))
    assert told
    times_s = [SPELT_S[found] for found in re.findall("|".join(SPELT_S), told[0])]
    assert times_s == [BUDGETS_S["quick"], BUDGETS_S["full"]]
    assert not BUDGETS_S["smoke"]


def test_a_source_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "lab.md"
    path.write_text(
        '# Lab {#top}\n\nUse it. Now.\n\n```text\n## No {#no}\n```\n\nshow.claim("a")\nshow.recipe("lab/03b-a")\n'
    )
    assert read_source(tmp_path, "lab.md").anchors == {"top", "claim-a", "p03b"}
    assert read_source(tmp_path, "lab.md").advice == "Use it."
    path.write_text("# Lab {#start}\n")
    assert read_source(tmp_path, "lab.md").anchors == {"start"}


def test_a_byte_order_mark_and_the_ends_of_lines_of_windows_change_no_source(
    tmp_path: Path,
) -> None:
    text = "---\ntitle: Lab\n---\n\n# Lab {#top}\n\nText.\n\n## A {#p01}\n"
    for name, data in (("a", text), ("b", "\ufeff" + text.replace("\n", "\r\n"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lab.md").write_bytes(data.encode())
    assert read_source(tmp_path / "b", "lab.md") == read_source(tmp_path / "a", "lab.md")


def test_front_matter_that_is_no_yaml_names_its_file(tmp_path: Path) -> None:
    text = "---\ntitle: Lab\ndescription: one: two\n---\n\n# Lab {#top}\n"
    (tmp_path / "lab.md").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"lab\.md:1: the front matter is no YAML"):
        read_source(tmp_path, "lab.md")
