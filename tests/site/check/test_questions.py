"""Questions lead to headings that are there in every language, and what says "measured" prints something measured."""

from pathlib import Path

import pytest

from scripts.site.check.questions import find_unanswered
from scripts.site.declare.texts import list_languages

PAGE = """# Wait {#top}

## Measured {#measured}

### How {#how}

```python exec="on"
# ## no heading
print(show.chart("lab", "io"))
```

## Told {#told}

```python exec="on"
print(show.snippet("wait"))
```

## Linked {#linked .section}

[Elsewhere](lab.md)
"""
FILE = """[words."answers/wait/"]
{words} = {{ en = "pause", ru = "пауза" }}

[[questions]]
ask = {{ en = "Does it wait?", ru = "Ждёт?" }}
place = "{place}"
state = "{state}"
threads = ["a/b#1 2026-01", "a/c#2 2026-02"]
"""


def check(folder: Path, place: str, state: str = "measured", words: str = "top") -> list[str]:
    """List the problems of a file with one question, once for all languages."""
    for language in list_languages():
        (folder / language / "answers").mkdir(parents=True)
        (folder / language / "answers" / "wait.md").write_text(PAGE, encoding="utf-8")
    file = folder / "questions.toml"
    file.write_text(FILE.format(place=place, state=state, words=words), encoding="utf-8")
    problems = map(str, find_unanswered(folder))
    return sorted(
        {problem.removeprefix(f"{file}:").replace(" ru/", " en/") for problem in problems}
    )


@pytest.mark.parametrize(
    ("heading", "state"),
    [("top", "measured"), ("measured", "measured"), ("linked", "measured"), ("told", "told")],
    ids=["a page", "below a heading of the section", "a section without fences", "told"],
)
def test_a_place_that_shows_what_its_state_says_is_no_problem(
    tmp_path: Path, heading: str, state: str
) -> None:
    assert check(tmp_path, f"answers/wait/#{heading}", state) == []


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("answers/wait/#told", "4: en/answers/wait.md#told prints no claim, chart or table"),
        ("answers/wait/#gone", "4: en/answers/wait.md has no heading #gone"),
        ("answers/gone/#top", "4: there is no page en/answers/gone.md"),
    ],
)
def test_a_place_that_is_not_there_or_not_measured_is_told_with_its_line(
    tmp_path: Path, place: str, message: str
) -> None:
    assert check(tmp_path, place) == [message]


def test_words_whose_heading_is_gone_are_told(tmp_path: Path) -> None:
    problems = check(tmp_path, "answers/wait/#top", words="gone")
    assert problems == ["2: en/answers/wait.md has no heading #gone"]
