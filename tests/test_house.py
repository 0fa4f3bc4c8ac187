"""Site and tool speak plain words; what is counted here is printed by ``pytest -s``.

A limit above the aim is what has been reached: it may fall, and never rise.
"""

import re
import tomllib
from collections import Counter
from pathlib import Path

from house import count, find_homonyms
from scripts.site.paths import ROOT

FOLDERS = {"site": "scripts/site", "tool": "scripts/poolwise/src"}
TESTS = ("tests", "scripts/poolwise/tests")
MOST_LINES = 29_204  # the aim: 18,000
MOST_LINES_OF_TESTS = 27_308  # the aim: 17,000
MOST_IN_SIGNATURES = 0
MOST_ELSEWHERE = 30
MOST_NESTED = 33  # the aim: 0
MOST_MULTIPLIED = 4  # which multiply by a count
MOST_TWO_MEANINGS = 24  # the aim: 0
# In 1,000 lines.
MOST_COMPREHENSIONS = 40.9  # the aim: 35
MOST_CONDITIONAL = 18.3  # the aim: 14
FEWEST_COMMENTS = 30.0


def list_sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def test_site_and_tool_are_as_short_and_as_plain_as_they_have_become():
    sources = {name: list_sources(folder) for name, folder in FOLDERS.items()}
    counts = {name: sum(map(count, paths), Counter()) for name, paths in sources.items()}
    for name, counted in counts.items():
        print(f"{name}:", dict(counted))
    total = sum(counts.values(), Counter())
    meanings = find_homonyms(path for paths in sources.values() for path in paths)
    print("two meanings:", meanings)
    assert total["lines"] <= MOST_LINES
    assert total["signatures"] <= MOST_IN_SIGNATURES
    assert total["dialect"] - total["signatures"] <= MOST_ELSEWHERE
    assert total["nested"] <= MOST_NESTED
    assert total["text x condition"] <= MOST_MULTIPLIED
    assert len(meanings) <= MOST_TWO_MEANINGS
    thousands = total["lines"] / 1000
    assert total["comprehensions"] / thousands <= MOST_COMPREHENSIONS
    assert total["conditional"] / thousands <= MOST_CONDITIONAL
    assert total["comments"] / thousands >= FEWEST_COMMENTS


def test_tests_are_as_short_as_they_have_become():
    paths = [path for folder in TESTS for path in list_sources(folder)]
    lines = sum(path.read_text(encoding="utf-8").count("\n") for path in paths)
    print("tests:", lines)
    assert len(paths) > 100
    assert lines <= MOST_LINES_OF_TESTS


def test_the_newest_release_is_the_version_that_is_cited_and_packed():
    newest = re.findall(
        r"^## \[(\d.*?)\] - (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )[0]
    cited = (ROOT / "CITATION.cff").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f'version: {newest[0]}\ndate-released: "{newest[1]}"\n' in cited
    assert project["version"] == newest[0]
