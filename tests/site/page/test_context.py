"""A build looks again at what has changed, and only then."""

import os
from pathlib import Path

import pytest

from scripts.site.page import context

READ = (
    "examples/lab/01.py",
    "results/here/cpython.json",
    "docs/choices.toml",
    "pins.txt",
    "mkdocs.yml",
    "docs/theme/main.html",
)


@pytest.fixture(autouse=True)
def files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """What a pipeline reads, that nobody else changes; no pipeline is opened."""
    for name in READ:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    paths = {"EXAMPLES": "examples", "REQUIREMENTS": "pins.txt", "ROOT": "", "DOCS": "docs"}
    changes = {name: tmp_path / path for name, path in paths.items()}
    for name, value in (changes | {"_state": (), "_kept": []}).items():
        monkeypatch.setattr(context, name, value)
    monkeypatch.setenv("RESULTS", str(tmp_path / "results"))
    context.refresh()
    return tmp_path


def changes() -> bool:
    """Whether a new build looks again, and makes its pages anew."""
    found: list[object] = []
    look = context.keep(lambda: found.append(1))
    look()
    is_anew = context.refresh()
    look()
    assert is_anew == (len(found) == 2)
    return is_anew


def test_a_build_after_which_nothing_changed_reads_nothing_again() -> None:
    assert not changes()


@pytest.mark.parametrize("name", READ)
def test_a_changed_file_is_read_again(files: Path, name: str) -> None:
    path = files / name
    path.write_text("changed")
    assert changes()
    os.utime(path, (1, 1))
    assert changes()
    path.unlink()
    assert changes()
