"""A program that fails is shown with its reason, and the build that met it does not pass."""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.browser.thin import leave_pages
from tests.copies import copy_repository

COPIED = ("docs", "examples", "requirements", "scripts", "mkdocs.yml", "mkdocs.ru.yml")
CONFIG = """\
INHERIT: mkdocs.yml
nav: [matrix.md]
"""
"""The site without its other pages."""
PAGE = """\
---
sections: table
---

# The matrix {#top}

## All of it {#table}

```python exec="on" html="true" id="table"
from scripts.site.page import show
print(show.results("matrix"))
```
"""
BROKEN = "01-io-sequential"
SOUND = "08-cpu-sequential"
REPOSITORY = "https://github.com/somebody/fork"


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """What became of a plain ``mkdocs build``: exit status, what it said, its table of the matrix."""

    folder: Path
    status: int
    said: str
    page: str


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory, plain_environment: dict[str, str]) -> Build:
    """MkDocs alone, in a copy of the repository without records in which a program is broken.

    Of pages it has one, which shows the program in a section of its own.
    """
    folder = tmp_path_factory.mktemp("broken")
    copy_repository(folder, *COPIED)
    leave_pages(folder, "index.md")
    (folder / "docs" / "en" / "index.md").unlink()
    (folder / "docs" / "en" / "matrix.md").write_text(PAGE, encoding="utf-8")
    (folder / "mkdocs.one.yml").write_text(CONFIG, encoding="utf-8")
    program = folder / "examples" / "matrix" / f"{BROKEN}.py"
    program.write_text('raise RuntimeError("broken on purpose")\n', encoding="utf-8")
    return _build(folder, plain_environment)


def test_the_build_does_not_pass_and_names_the_page_and_the_program(build: Build) -> None:
    assert build.status != 0
    assert re.search(rf"matrix/table\.md.*{re.escape(BROKEN)}", build.said)
    assert "RuntimeError: broken on purpose" in build.said


def test_the_page_shows_what_failed_why_and_its_stderr(build: Build) -> None:
    row = _find_row(build.page, BROKEN)
    assert "failed" in row
    assert "status 1" in row
    stderr = build.page.split('class="failure"', 1)[1].split("</details>", 1)[0]
    assert BROKEN in stderr
    assert "RuntimeError: broken on purpose" in stderr


def test_mkdocs_alone_measures_what_has_no_record(build: Build) -> None:
    assert re.search(r"<strong>\d+(\.\d+)?\sm?s</strong>", _find_row(build.page, SOUND))


def test_what_was_left_out_says_that_it_was_not_measured(build: Build) -> None:
    assert "not measured" in _find_row(build.page, "12-cpu-process_pool")


def test_where_failures_are_told_only_the_build_passes_and_names_them(
    build: Build, plain_environment: dict[str, str]
) -> None:
    again = _build(build.folder, plain_environment | {"FAILURES": "tell", "MEASURE": "0"})
    assert again.status == 0, again.said
    assert re.search(rf"matrix/table\.md.*{re.escape(BROKEN)}", again.said)
    assert "failed" in _find_row(again.page, BROKEN)


def test_the_repository_is_linked_and_not_asked_for_anything(build: Build) -> None:
    assert f'href="{REPOSITORY}"' in build.page
    assert 'data-md-component="source"' not in build.page


def _build(folder: Path, environment: dict[str, str]) -> Build:
    settings = {
        "PROFILE": "smoke",
        "INTERPRETERS": "current",
        "ONLY": "matrix/0[18]-*",
        "PYTHONPATH": str(folder),
        "REPOSITORY_URL": REPOSITORY,
    }
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--config-file", "mkdocs.one.yml"],
        cwd=folder,
        env=environment | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    page = folder / "site" / "en" / "matrix" / "table" / "index.html"
    assert page.is_file(), done.stderr
    return Build(
        folder=folder,
        status=done.returncode,
        said=done.stdout + done.stderr,
        page=page.read_text(encoding="utf-8"),
    )


def _find_row(page: str, program: str) -> str:
    section = page.split('<section class="results"', 1)[1]
    row = re.search(rf'<tr><th scope="row"><a [^>]*>{re.escape(program)}<.*?</tr>', section)
    assert row is not None
    return row.group()
