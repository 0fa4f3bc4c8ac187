"""A build looks again at what has changed, and only then."""

import os
from pathlib import Path

import pytest

from scripts.site.page import context

READ = (
    "examples/lab/01.py",
    "results/here/cpython.json",
    "choices.toml",
    "findings.toml",
    "pins.txt",
)


@pytest.fixture(autouse=True)
def files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """What a pipeline reads, that nobody else changes; no pipeline is opened."""
    for name in READ:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.setattr(context, "EXAMPLES", tmp_path / "examples")
    monkeypatch.setattr(context, "CHOICES", tmp_path / "choices.toml")
    monkeypatch.setattr(context, "FINDINGS", tmp_path / "findings.toml")
    monkeypatch.setattr(context, "REQUIREMENTS", tmp_path / "pins.txt")
    monkeypatch.setattr(context, "_state", ())
    monkeypatch.setattr(context, "_shown", ())
    monkeypatch.setattr(context, "_kept", [])
    monkeypatch.setenv("RESULTS", str(tmp_path / "results"))
    context.refresh()
    return tmp_path


def changes() -> bool:
    """Whether a new build looks again."""
    found: list[object] = []
    look = context.keep(lambda: found.append(1))
    look()
    context.refresh()
    look()
    return len(found) == 2


def test_a_file_that_pages_alone_go_by_has_them_made_anew_and_nothing_judged_again(
    files: Path,
) -> None:
    found: list[object] = []
    look = context.keep(lambda: found.append(1))
    look()
    page = files / "mkdocs.yml"
    page.touch()
    assert context.refresh(page)
    look()
    assert found == [1]
    assert not context.refresh(page)


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
