"""Pages are plain files before MkDocs runs, and every link and address leads to where things are."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from symtable import symtable
from types import SimpleNamespace

import pytest
from mkdocs.config.defaults import MkDocsConfig

from scripts.site.declare.addresses import Addresses
from scripts.site.declare.texts import list_languages
from scripts.site.page import publish
from scripts.site.page.hooks import join_styles
from scripts.site.paths import DOCS, EXAMPLES
from tests.declared import DECLARED
from tests.site.golden import WORDS, compare

SHOWN = re.compile(r'show\.program\("([^"]+)"')
Write = Callable[..., dict[str, str]]
LAB = """---
title: Lab
description: A lab
sections: p01
sibling: 123
---

# Lab {#top}

See [one](#p01), [two](#p02), [rules](theory/rules.md#rules), [a claim](#claim-one-wins) — here.

### 01 · one {#p01}

Plain; see [why](#why), [rules](theory/rules.md#rules) and [itself](#deep).

#### Deeper {#deep}

## Why {#why}

??? question "Answer"
    Because of 10 000 tasks, 5 ms each, and `x — 5 ms`. <svg viewBox="0 0 340 370"></svg>

## Code {#code}

### 02: `two` {#p02}

Second. And more.

```python exec="on" html="true" id="p02"
from scripts.site.page import show
print(show.program("lab/02-two.py"))
```

```python exec="on" html="true" id="one-wins"
from scripts.site.page import show
print(show.claim("one-wins"))
```

### What they share {#tasks}

The tasks.

```python exec="on" html="true" id="tasks"
from scripts.site.page import show
print(show.program("lab/tasks.py"))
```
"""
RULES = "---\ntitle: Rules\n---\n\n# Rules {#rules}\n\n[two](../lab.md#p02)\n"
KNOWN = Addresses(moved={"gone/": "lab/", "gone/#x": "lab/code/#p02", "lab/#old": "lab/#why"})


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Publish two pages; what was written by the names of files."""
    docs = tmp_path / "docs"
    (docs / "theory").mkdir(parents=True)
    (docs / "lab.md").write_text(LAB, encoding="utf-8")
    (docs / "theory" / "rules.md").write_text(RULES, encoding="utf-8")
    folder = tmp_path / "examples"
    folder.mkdir()
    for name, code in (("02-two", "import tasks"), ("tasks", "import clock"), ("clock", "")):
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    two, shared = (
        SimpleNamespace(name="02-two", file="02-two.py"),
        ("clock.py", "tasks.py", "other.py"),
    )
    lab = SimpleNamespace(folder=folder, shared=shared, programs=(two,), navigation=None)
    pipeline = SimpleNamespace(experiments={"lab": lab})
    checked = {"one-wins": SimpleNamespace(status="refuted")}
    monkeypatch.setattr(publish, "open_pipeline", lambda: pipeline)
    monkeypatch.setattr(publish, "check_all", lambda: checked)
    pins = {"trio": ["trio==0.33"], "gevent": ["gevent==25.9"]}
    monkeypatch.setattr(publish, "find_all_packages", lambda lab: pins)
    monkeypatch.setattr(publish, "read_addresses", lambda: KNOWN)
    monkeypatch.setattr(publish, "load_words", lambda language: WORDS)

    def run(*, anew: bool = False) -> dict[str, str]:
        build = tmp_path / "build"
        monkeypatch.setattr(publish, "is_stale", lambda language, source: anew)
        folder, _ = publish.publish(docs, build, "en", more={"assets/all.css": "a{}"})
        assert folder == build
        files = [path for path in build.rglob("*") if path.is_file()]
        return {path.relative_to(build).as_posix(): path.read_text("utf-8") for path in files}

    return run


def test_pages_and_sections_link_each_other_with_what_is_known_of_them(write: Write) -> None:
    """A section has its title, its crumbs and its headings raised, and leaves a line at home.

    Links lead to where their targets stand now, those to claims tell whether these hold here, and
    every fence says on which page it is.
    """
    files = write()
    pages = ("lab.md", "lab/p01.md", "lab/code.md", "theory/rules.md")
    compare("published.txt", "".join(f"== {page}\n{files[page]}" for page in pages))


def test_a_program_that_nobody_declares_is_left_to_its_own_block_to_tell(
    write: Write, tmp_path: Path
) -> None:
    text = LAB.replace("lab/02-two.py", "lab/02-too.py")
    (tmp_path / "docs" / "lab.md").write_text(text, encoding="utf-8")
    assert 'show.program("lab/02-too.py"' in write()["lab/code.md"]


def list_imported(program: Path) -> Iterator[tuple[Path, str]]:
    """The files of its own folder that a program imports, and each name that it takes from them."""
    for node in ast.walk(ast.parse(program.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            pairs = [(node.module, alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            pairs = [(alias.name, "__name__") for alias in node.names]
        else:
            continue
        for module, name in pairs:
            file = program.with_name(f"{module}.py")
            if file.is_file():
                yield file, name


@pytest.mark.parametrize("language", list_languages())
def test_every_name_that_a_program_imports_from_its_folder_is_on_its_page(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = SimpleNamespace(experiments=DECLARED.experiments)
    monkeypatch.setattr(publish, "open_pipeline", lambda: pipeline)
    monkeypatch.setattr(publish, "check_all", dict)
    folder, _ = publish.publish(DOCS / language, tmp_path, language, more={})
    programs = set()
    for page in folder.rglob("*.md"):
        files = SHOWN.findall(page.read_text(encoding="utf-8"))
        assert len(files) == len(set(files)), f"{page.name} shows a file twice"
        for program in files:
            for file, name in list_imported(EXAMPLES / program):
                assert file.relative_to(EXAMPLES).as_posix() in files, f"{page.name}: {program}"
                table = symtable(file.read_text(encoding="utf-8"), file.name, "exec")
                assert name in {"__name__", *table.get_identifiers()}, f"{program}: {name}"
                programs.add(program)
    assert len(programs) > 100  # or the pages are no longer read as they are written


def test_where_a_page_was_something_leads_on(write: Write) -> None:
    moved = write()["gone/index.html"]
    assert '"": "../lab/"' in moved
    assert '"x": "../lab/code/#p02"' in moved
    assert 'http-equiv="refresh" content="0; url=../lab/"' in moved


def test_only_what_has_changed_is_written_again(write: Write, tmp_path: Path) -> None:
    (tmp_path / "build" / "old").mkdir(parents=True)
    (tmp_path / "build" / "old" / "page.md").write_text("# Old\n")
    files = write()
    assert "old/page.md" not in files
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "build").rglob("*.md")}
    rules = tmp_path / "docs" / "theory" / "rules.md"
    rules.write_text(RULES + "\nMore.\n", encoding="utf-8")
    write()
    newer = [path.name for path, time_ns in times.items() if path.stat().st_mtime_ns > time_ns]
    assert newer == ["rules.md"]
    write(anew=True)
    assert all(path.stat().st_mtime_ns > time_ns for path, time_ns in times.items())


def test_a_style_sheet_joins_the_themes_and_ours_in_their_order(tmp_path: Path) -> None:
    for name in ("stylesheets/palette.0a1b.min", "stylesheets/main.2c3d.min", "b", "a"):
        path = tmp_path / "assets" / f"{name}.css"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    config = MkDocsConfig()
    config["theme"] = SimpleNamespace(dirs=[str(tmp_path)])
    config["extra_css"] = ["assets/b.css", "assets/a.css"]
    joined = join_styles(config).split("\n")
    assert joined == ["stylesheets/main.2c3d.min", "stylesheets/palette.0a1b.min", "b", "a"]
    config["extra_css"] = ["assets/gone.css"]
    with pytest.raises(FileNotFoundError, match=r"gone\.css"):
        join_styles(config)
