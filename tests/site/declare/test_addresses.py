"""The list of permanent addresses says what stays and where what has moved is."""

from pathlib import Path

import pytest

from scripts.harness.declaration import MalformedDeclaration
from scripts.site.declare.addresses import Addresses, read_addresses


def read(folder: Path, *lines: str) -> Addresses:
    path = folder / "addresses.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return read_addresses(path)


@pytest.mark.parametrize("line", ["a", "a/ b/", "a/#B ->", "../a/", "https://a.example/", "a/#b#c"])
def test_what_is_none_of_them_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(MalformedDeclaration, match=":2: "):
        read(tmp_path, "a/", line)


def test_what_moved_twice_is_where_it_is_now(tmp_path: Path) -> None:
    known = read(tmp_path, "a/#one -> b/#two", "b/#two -> c/")
    assert known.follow("a/#one") == "c/"
    assert known.follow("a/#other") == "a/#other"


def test_a_move_in_a_circle_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MalformedDeclaration, match="back to itself"):
        read(tmp_path, "a/ -> b/", "b/ -> a/")
