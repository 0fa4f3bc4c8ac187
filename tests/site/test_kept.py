"""What was made once is not made again, unless it must be; the oldest goes first."""

import os
from pathlib import Path

import pytest

from scripts.site import kept
from scripts.site.kept import NotKept, drop_oldest, keep_file, keep_folder


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder of what is kept, which holds two."""
    monkeypatch.setattr(kept, "FOLDER", tmp_path / "kept")
    monkeypatch.setattr(kept, "MOST", 2)
    return tmp_path / "kept"


def is_made(name: str) -> bool:
    """Tell whether content had to be made."""
    calls: list[str] = []

    def make() -> bytes:
        calls.append(name)
        return name.encode()

    assert keep_file("texts", name, make) == name.encode()
    return bool(calls)


def test_content_is_made_once_until_it_is_the_oldest(folder: Path) -> None:
    for age, name in enumerate("abc"):
        assert is_made(name)
        newest = max((folder / "texts").iterdir(), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (age, age))
    assert not is_made("a")
    drop_oldest()
    assert [name for name in "acb" if is_made(name)] == ["b"]


def test_what_is_not_to_be_kept_is_made_each_time(folder: Path) -> None:
    def make() -> bytes:
        raise NotKept(b"content")

    assert keep_file("texts", "name", make) == b"content"
    assert not folder.exists()


def test_a_folder_is_filled_anew_where_it_is_of_other_sources(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    keep_folder(folder, "a", lambda place: (place / "a").touch())
    keep_folder(folder, "a", lambda place: (place / "b").touch())
    assert (folder / "a").exists()
    keep_folder(folder, "c", lambda place: (place / "c").touch())
    assert {path.name for path in folder.iterdir()} == {"c", ".made-of"}
