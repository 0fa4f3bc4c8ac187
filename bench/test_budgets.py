"""The bench asks for GNU time by trying it, and adds up what programs took from records alone."""

import gzip
from pathlib import Path

import pytest

from bench import budgets


def put(folder: Path, name: str, text: str) -> None:
    """A program that stands on PATH."""
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize(
    ("programs", "found"),
    [
        ({"time": "exit 0"}, "time"),
        ({"time": "echo 'illegal option -- q' >&2; exit 1"}, None),
        ({"time": "exit 1", "gtime": "exit 0"}, "gtime"),
        ({}, None),
    ],
)
def test_gnu_time_is_what_knows_its_options(
    programs: dict[str, str],
    found: str | None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    for name, text in programs.items():
        put(tmp_path, name, text)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert budgets.find_gnu_time() == (str(tmp_path / found) if found else None)


def test_a_visit_weighs_what_a_page_loads_each_once_whatever_follows_its_path(
    tmp_path: Path,
) -> None:
    page, picture = tmp_path / "en" / "index.html", tmp_path / "picture.svg"
    page.parent.mkdir()
    picture.write_text("<svg/>")
    page.write_text(
        "".join(f'<img src="../picture.svg{end}">' for end in ("", "#only-light", "?1"))
    )
    files = (page, picture)
    weight = sum(len(gzip.compress(file.read_bytes())) for file in files)
    assert budgets.weigh_page(page, tmp_path) == weight
    page.write_text('<img src="https://example.org/picture.svg">')
    with pytest.raises(ValueError, match="outside the site"):
        budgets.weigh_page(page, tmp_path)
