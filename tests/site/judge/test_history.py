"""The medians of earlier builds are read once each; a file that cannot be true is left out."""

import re
from pathlib import Path

import pytest
from msgspec import structs

from scripts.site.judge.history import COLUMNS, format_history, read_history
from tests.factories import make_median

NOT_TRUE = [
    ("date", "2026-13-01"),
    ("machine", "../../x"),
    ("cpu_model", "a\x1bb"),
    ("cpu_model", "x" * 201),
    ("python", "<b>"),
    ("profile", "huge"),
    ("cores", "0"),
    ("speedup", "nan"),
    ("speedup", "inf"),
    ("speedup", "-1"),
    ("speedup", "9"),
    ("time_s", "1e999"),
    ("tasks", "1.5"),
]


def test_what_is_written_is_read_and_what_is_in_two_files_counts_once(tmp_path: Path) -> None:
    one, two = make_median(), make_median(python="3.14t", cpu_model='A "quoted", one')
    (tmp_path / "a.csv").write_text(format_history([one, two]))
    (tmp_path / "b.csv").write_text(format_history([one]))
    assert sorted(read_history(tmp_path, pytest.fail)) == sorted([one, two])


def test_without_a_folder_there_is_no_history(tmp_path: Path) -> None:
    assert read_history(tmp_path / "none", pytest.fail) == []


@pytest.mark.parametrize(("name", "value"), NOT_TRUE)
def test_a_file_with_what_cannot_be_is_left_out_and_told(
    name: str, value: str, tmp_path: Path
) -> None:
    lines = format_history([make_median(), make_median(python="3.15")]).splitlines()
    cells = structs.asdict(make_median(python="3.15")) | {name: value}
    lines[2] = ",".join(str(cells[column]) for column in COLUMNS)
    (tmp_path / "bad.csv").write_text("\n".join(lines))
    (tmp_path / "good.csv").write_text(format_history([make_median(program="fine")]))
    told: list[str] = []
    assert [one.program for one in read_history(tmp_path, told.append)] == ["fine"]
    assert len(told) == 1
    assert told[0].isprintable()
    assert re.search(r"bad.csv.*line 3", told[0])


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "\x00", ",".join(COLUMNS) + "\n1,2\n"])
def test_what_is_no_history_is_left_out(text: str, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text(text)
    (tmp_path / "link.csv").symlink_to("/etc/passwd")
    told: list[str] = []
    assert read_history(tmp_path, told.append) == []
    assert len(told) == 2
