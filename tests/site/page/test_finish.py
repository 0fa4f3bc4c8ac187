"""Pages get what no author writes, and every name that a program imports stands on its page."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from symtable import symtable
from types import SimpleNamespace

import pytest

from scripts.site.declare.addresses import Addresses
from scripts.site.declare.texts import list_languages
from scripts.site.page import finish
from scripts.site.paths import DOCS, EXAMPLES
from tests.site.golden import WORDS

SHOWN = re.compile(r'show\.program\("([^"]+)"')
KNOWN = Addresses(moved={"gone/": "lab/", "gone/#x": "lab/code/#p02"})
HOME = """\
# Lab {#top}

[A claim](#claim-one-wins) — here, 10 000 tasks, 5 ms each, and `x — 5 ms`.

```text
a — b
```
"""


@pytest.fixture(autouse=True)
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of a site on which a claim is refuted."""
    (tmp_path / "lab.md").write_text(HOME, encoding="utf-8")
    monkeypatch.setattr(
        finish, "check_all", lambda: {"one-wins": SimpleNamespace(status="refuted")}
    )
    monkeypatch.setattr(finish, "_read_known", lambda: KNOWN)
    return tmp_path


def test_a_page_keeps_numbers_with_their_units_and_says_what_became_of_a_linked_claim(
    docs: Path,
) -> None:
    page = finish.finish_page(HOME, docs, "lab.md", WORDS).replace("\N{NO-BREAK SPACE}", "~")
    assert "~— here, 10~000 tasks, 5~ms each, and `x — 5 ms`." in page
    assert "a — b" in page
    assert '✖</span>~A claim](#claim-one-wins){.claim-link .claim-refuted title="' in page


def test_where_a_page_was_something_leads_on() -> None:
    moved = dict(finish.write_more(WORDS))["gone/index.html"]
    assert '"": "../lab/"' in moved
    assert '"x": "../lab/code/#p02"' in moved
    assert 'http-equiv="refresh" content="0; url=../lab/"' in moved


def list_imported(program: Path) -> Iterator[tuple[Path, str]]:
    """The files of its own folder that a program imports, and each name that it takes from them."""
    for node in ast.walk(ast.parse(program.read_text(encoding="utf-8"))):
        pairs: list[tuple[str | None, str]] = []
        if isinstance(node, ast.ImportFrom):
            pairs = [(node.module, alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            pairs = [(alias.name, "__name__") for alias in node.names]
        for module, name in pairs:
            file = program.with_name(f"{module}.py")
            if file.is_file():
                yield file, name


@pytest.mark.parametrize("language", list_languages())
@pytest.mark.slow
def test_every_name_that_a_program_imports_from_its_folder_is_on_its_page(language: str) -> None:
    programs = set()
    for page in (DOCS / language).rglob("*.md"):
        files = SHOWN.findall(page.read_text(encoding="utf-8"))
        assert len(files) == len(set(files)), f"{page.name} shows a file twice"
        for program in files:
            for file, name in list_imported(EXAMPLES / program):
                assert file.relative_to(EXAMPLES).as_posix() in files, f"{page.name}: {program}"
                table = symtable(file.read_text(encoding="utf-8"), file.name, "exec")
                assert name in {"__name__", *table.get_identifiers()}, f"{program}: {name}"
                programs.add(program)
    assert len(programs) > 100  # or the pages are no longer read as they are written
