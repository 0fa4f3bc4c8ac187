"""A timeline is kept in a file that is read only if it is one, and in its place."""

import json
from pathlib import Path

import pytest

from making import make_lane
from poolwise.store import DamagedRecords, RecordsError
from scripts.site.study.timeline import (
    LARGEST_BYTES,
    list_timelines,
    locate_timeline,
    read_timeline,
    write_timeline,
)
from tests.factories import make_timeline


def write(folder: Path, **changes: object) -> Path:
    """Write a file with some fields changed, as somebody may have done by hand."""
    timeline = make_timeline()
    write_timeline(folder, timeline)
    path = locate_timeline(folder, timeline.machine, timeline.experiment, timeline.program)
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    timeline = make_timeline(lanes=[make_lane(task=2, name="fetch"), make_lane()])
    write_timeline(tmp_path, timeline)
    (path,) = list_timelines(tmp_path)
    assert read_timeline(path) == timeline
    assert read_timeline(path.with_name("other.json")) is None


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"schema": 3}, "Invalid enum value 3"),
        ({"program": "../../etc/passwd"}, "matching regex"),
        ({"wall_us": 0}, "wall_us"),
        ({"inside_us": [90_000, 10_000]}, "work from 90000 to 10000 of 100000 us"),
        ({"busy": []}, "busy"),
        ({"measured_at": "2026-01-01T00:00:00"}, "timezone"),
        ({"machine": "elsewhere"}, "belongs into elsewhere/timelines"),
    ],
)
def test_a_file_of_another_form_or_place_is_refused_in_a_sentence(
    tmp_path: Path, changes: dict[str, object], fault: str
) -> None:
    path = write(tmp_path, **changes)
    with pytest.raises(DamagedRecords, match=fault) as caught:
        read_timeline(path)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_too_large_or_none_is_not_even_read(tmp_path: Path) -> None:
    path = write(tmp_path)
    path.write_bytes(b"[" * (LARGEST_BYTES + 1))
    with pytest.raises(DamagedRecords, match="larger than 256 KiB"):
        read_timeline(path)
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(RecordsError, match="a symbolic link"):
        read_timeline(path)
