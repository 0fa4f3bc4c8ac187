"""The columns that gave no records are noted beside the results, and read again as they were."""

import json
from pathlib import Path

import pytest

from scripts.harness.store import DamagedRecords
from scripts.site.study.absent import FILE, Column, Part, find_absent, read_absent, write_absent

PARTS = [Part("lab", "lab|other"), Part("rest", "")]
ASKED = json.dumps(
    {
        "runner": ["box", "mac"],
        "python": ["3.13", "3.14t"],
        "part": [{"name": part.name, "only": part.only} for part in PARTS],
        "include": [
            {"runner": name, "python": "3.13+3.14t", "part": {"name": "both", "only": "all"}}
            for name in ("box", "mac")
        ],
    }
)


def give(folder: Path, column: str) -> None:
    """Records of a column where it hands them over."""
    (folder / column / "machine").mkdir(parents=True)
    (folder / column / "machine" / "cpython-3.13.0.json").touch()


def test_absent_is_each_column_that_gave_nothing_to_any_folder(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    give(folders[0], "records-box-3.13-lab")
    give(folders[1], "records-mac-3.14t-rest")
    give(folders[1], "records-mac-3.13+3.14t-both")
    (folders[1] / "records-box-3.13-rest").mkdir()  # nothing is in it
    found = find_absent(ASKED, iter(folders))
    assert found == [
        Column(runner, python, part)
        for runner in ("box", "mac")
        for python in ("3.13", "3.14t")
        for part in PARTS
        if (runner, python, part.name) not in (("box", "3.13", "lab"), ("mac", "3.14t", "rest"))
    ] + [Column("box", "3.13+3.14t", Part("both", "all"))]


@pytest.mark.parametrize("asked", ["{", "{}", ASKED.replace("runner", "runners")])
def test_what_is_no_matrix_of_jobs_is_refused(asked: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        find_absent(asked, [])


def test_what_is_noted_is_read_again_and_without_a_note_nothing_is(tmp_path: Path) -> None:
    assert read_absent(tmp_path) == []
    columns = [Column("box", "3.13", part) for part in PARTS]
    write_absent(tmp_path, columns)
    assert read_absent(tmp_path) == columns


def test_a_note_of_a_thousand_columns_is_read_and_one_of_more_is_damaged(tmp_path: Path) -> None:
    column = Column("box", "3.13", PARTS[0])
    write_absent(tmp_path, [column] * 1000)
    assert len(read_absent(tmp_path)) == 1000
    write_absent(tmp_path, [column] * 1001)
    with pytest.raises(DamagedRecords, match=FILE):
        read_absent(tmp_path)
    (tmp_path / FILE).write_text("[{}]")
    with pytest.raises(DamagedRecords, match=FILE):
        read_absent(tmp_path)
