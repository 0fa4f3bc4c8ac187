"""The list of permanent addresses says what stays and where what has moved is."""

from pathlib import Path

from scripts.site.declare.addresses import Addresses, read_addresses


def read(folder: Path, *lines: str) -> Addresses:
    path = folder / "addresses.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return read_addresses(path)


def test_what_moved_twice_is_where_it_is_now(tmp_path: Path) -> None:
    known = read(tmp_path, "a/#one -> b/#two", "b/#two -> c/")
    assert known.follow("a/#one") == "c/"
    assert known.follow("a/#other") == "a/#other"
