"""Adding an experiment or a language takes what CONTRIBUTING says, and no other file.

Each is added to a copy of the tree; then checks pass and the pages have it.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.copies import copy_repository, leave_pages, name_sources

ROOT = Path(__file__).parents[2]
ADDED = Path(__file__).parent / "addition"
"""An experiment as a newcomer would write it."""
COPIED = (
    ".python-version",
    "docs",
    "examples",
    "requirements",
    "scripts",
    "LICENSE",
    "Makefile",
    "pyproject.toml",
)
PROGRAMS = ("01-sequential", "02-threads", "03-workers")
LANGUAGE = "de"
MAKE = ("make", "--no-print-directory")
TEXT = re.compile(r'\ben = ("(?:[^"\\]|\\.)*")')
WORD = re.compile(r'^(\S+|"[^"]+") = "([^"\\]*)"$')
Run = Callable[..., None]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the project, without its records."""
    copy_repository(tmp_path, *COPIED, *(path.name for path in ROOT.glob("mkdocs*.yml")))
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    return tmp_path


@pytest.fixture
def run(tree: Path, plain_environment: dict[str, str]) -> Run:
    """Runs a command in the copy; it has to succeed."""

    def run(*command: str, **settings: str) -> None:
        small = {"PROFILE": "smoke", "INTERPRETERS": "current", "PYTHONPATH": name_sources(tree)}
        done = subprocess.run(
            command,
            cwd=tree,
            env=plain_environment | small | settings,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    return run


def test_an_experiment_is_one_folder_and_a_page_a_language(tree: Path, run: Run) -> None:
    shutil.copytree(ADDED, tree, dirs_exist_ok=True)
    run(*MAKE, "parity")
    run(*MAKE, "reviewed")
    run(".venv/bin/python", "-m", "scripts.site", "check")
    leave_pages(tree, "index.md", "claims.md", "json.md", "squares.md", "sleep.md")
    run(*MAKE, "site", ONLY="squares*")

    site = tree / "site"
    for language, title, topic, source in (
        ("en", "Squares", "plain arithmetic", "a textbook"),
        ("ru", "Квадраты", "простая арифметика", "учебник"),
    ):
        page = _read(site / language / "squares" / "index.html")
        home = _read(site / language / "index.html")
        entries = re.findall(r'<a href="(\w+)/" class="md-nav__link">\s*<.*?>\s*([^<]*?)\s*<', home)
        names = [name for name, _ in entries]
        assert dict(entries)["squares"] == title
        assert 'class="measuring"' not in home
        assert names.index("json") < names.index("squares") < names.index("sleep")
        for program in PROGRAMS:
            assert f'href="#p{program[:2]}"' in page
            assert f'id="p{program[:2]}"' in page
            assert f"examples/squares/{program}.py" in page
        text = _read(site / language / "claims" / "index.html")
        for shown, before in ((page, "<summary>"), (text, "<small>")):
            assert 'id="claim-squares-in-threads"' in shown
            assert f"{before}{source.capitalize()}, " in shown
        assert f'<option value="arithmetic">{topic}</option>' in text
        assert f'<option value="a-textbook">{source}</option>' in text
    for file in ("tasks.py", *(f"{program}.py" for program in PROGRAMS)):
        assert _read(site / "examples" / "squares" / file) == _read(
            ADDED / "examples" / "squares" / file
        )
    rows = json.loads(_read(site / "data" / "results.json"))["rows"]
    ours = {row["program"]: row for row in rows if row["experiment"] == "squares"}
    assert {name: row["status"] for name, row in ours.items()} == dict.fromkeys(PROGRAMS, "ok")
    methods = {name: row["start_method"] for name, row in ours.items()}
    assert methods == dict.fromkeys(PROGRAMS) | {"03-workers": "forkserver"}


def test_a_language_is_its_pages_a_config_a_catalogue_and_what_is_declared_in_it(
    tree: Path, run: Run
) -> None:
    _add_language(tree)
    run(*MAKE, "reviewed")
    run(*MAKE, "parity")
    run(".venv/bin/python", "-m", "scripts.site", "check")
    leave_pages(tree, "index.md", "json.md")
    measured = {"ONLY": "json/01-*"}
    run(".venv/bin/python", "-m", "scripts.site", "measure", **measured)
    build = (".venv/bin/python", "-m", "mkdocs", "build", "--config-file")
    run(*build, f"mkdocs.{LANGUAGE}.yml", **measured, MEASURE="0")
    run(".venv/bin/python", "-m", "scripts.site", "root", **measured, MEASURE="0")

    page = _read(tree / "site" / LANGUAGE / "json" / "index.html")
    assert f'<html lang="{LANGUAGE}"' in page
    assert "«Wall»" in page
    assert "«Garbage collector off, as in the article»" in page
    assert 'id="claim-json-processes-are-faster"' in page
    assert re.search(r"\d,\d+\N{NO-BREAK SPACE}«s»|\d\N{NO-BREAK SPACE}«ms»", page)
    links = set(re.findall(r'<a href="([^"]*)" hreflang="(\w+)"', page))
    assert links == {(f"../../{name}/json/", name) for name in ("en", "ru", LANGUAGE)}
    assert f'<a href="{LANGUAGE}/" hreflang="{LANGUAGE}"' in _read(tree / "site" / "index.html")
    claims = json.loads(_read(tree / "site" / "data" / "claims.json"))["claims"]
    assert all(claim["text"][LANGUAGE] for claim in claims)

    run(*build, f"mkdocs.{LANGUAGE}.yml", **measured, MEASURE="0", MEASURING="1")
    page = _read(tree / "site" / LANGUAGE / "json" / "index.html")
    assert '<p class="measuring">«Measuring goes on' in page


def _add_language(tree: Path) -> None:
    """English once more, with every word of blocks in «marks», as if somebody had translated it."""
    shutil.copytree(tree / "docs" / "en", tree / "docs" / LANGUAGE)
    config = f"INHERIT: mkdocs.yml\ndocs_dir: docs/{LANGUAGE}\nsite_dir: site/{LANGUAGE}\n"
    config += f"theme:\n  language: {LANGUAGE}\n"
    (tree / f"mkdocs.{LANGUAGE}.yml").write_text(config, encoding="utf-8")
    words = tree / "scripts" / "site" / "render" / "words"
    lines = _read(words / "en.toml").splitlines()
    translated = "\n".join(WORD.sub(r'\1 = "«\2»"', line) for line in lines) + "\n"
    translated = translated.replace('locale = "en_GB"', f'locale = "{LANGUAGE}"')
    (words / f"{LANGUAGE}.toml").write_text(translated, encoding="utf-8")
    declared = [*tree.glob("examples/*/*.toml"), *tree.glob("docs/*.toml")]
    for path in declared:
        lines = [_translate(line) for line in _read(path).splitlines()]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _translate(line: str) -> str:
    """What a line of a declaration says in English, beside it in the new language."""
    separator = "\n" if line.startswith("en = ") else ", "
    return TEXT.sub(lambda found: f'{found[0]}{separator}{LANGUAGE} = "«{found[1][1:-1]}»"', line)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
