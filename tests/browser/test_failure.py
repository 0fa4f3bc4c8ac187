"""A program that fails is shown with its reason, and the build that met it does not pass."""

import re
import subprocess
import sys
from pathlib import Path

from scripts.harness.experiment import load_experiment
from scripts.harness.paths import EXAMPLES
from tests.browser.thin import leave_pages
from tests.copies import copy_repository

COPIED = ("docs", "examples", "requirements", "scripts", "mkdocs.yml", "mkdocs.ru.yml")
CONFIG = "INHERIT: mkdocs.yml\nnav: [matrix.md]\n"
"""The site without its other pages."""
PAGE = """\
# The matrix {#top}

```python exec="on" html="true" id="table"
from scripts.site.page import show
print(show.results("matrix"))
```
"""
BROKEN, SOUND = "01-io-sequential", "08-cpu-sequential"


def test_the_page_shows_what_failed_and_the_build_passes_only_where_failures_are_told(
    tmp_path: Path, plain_environment: dict[str, str]
) -> None:
    copy_repository(tmp_path, *COPIED)
    leave_pages(tmp_path, "index.md")
    (tmp_path / "docs" / "en" / "index.md").unlink()
    (tmp_path / "docs" / "en" / "matrix.md").write_text(PAGE, encoding="utf-8")
    (tmp_path / "mkdocs.one.yml").write_text(CONFIG, encoding="utf-8")
    program = tmp_path / "examples" / "matrix" / f"{BROKEN}.py"
    program.write_text('raise RuntimeError("broken on purpose")\n', encoding="utf-8")
    chosen = {"PROFILE": "smoke", "INTERPRETERS": "current", "ONLY": "matrix/0[18]-*"}
    environment = plain_environment | chosen | {"PYTHONPATH": str(tmp_path)}

    status, said, page = build(tmp_path, environment)
    assert status != 0
    assert re.search(rf"matrix\.md.*{BROKEN}", said)
    row = find_row(page, BROKEN)
    assert "failed" in row
    assert "status 1" in row
    stderr = page.split('class="failure"', 1)[1].split("</details>", 1)[0]
    assert "RuntimeError: broken on purpose" in stderr
    assert re.search(r"<strong>\d+(\.\d+)?\sm?s</strong>", find_row(page, SOUND))
    assert "not measured" in find_row(page, "12-cpu-process_pool")

    status, said, page = build(tmp_path, environment | {"FAILURES": "tell", "MEASURE": "0"})
    assert status == 0, said[-3000:]
    assert re.search(rf"matrix\.md.*{BROKEN}", said)
    assert "failed" in find_row(page, BROKEN)


def build(folder: Path, environment: dict[str, str]) -> tuple[int, str, str]:
    """Build with MkDocs alone: the exit status, what was said, and the page."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--config-file", "mkdocs.one.yml"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    page = folder / "site" / "en" / "matrix" / "index.html"
    assert page.is_file(), said[-3000:]
    return done.returncode, said, page.read_text(encoding="utf-8")


def find_row(page: str, program: str) -> str:
    section = page.split('<section class="results"', 1)[1]
    name = load_experiment(EXAMPLES / "matrix").program(program).title["en"]
    row = re.search(rf'<tr><th scope="row"><a [^>]*>{re.escape(name)}<.*?</tr>', section)
    assert row is not None
    return row.group()
