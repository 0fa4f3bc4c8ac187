"""What a run of Actions tells is shown, however much there is to tell."""

from pathlib import Path

import pytest

from scripts.summary import MOST_BYTES, add_to_summary


def test_a_summary_has_the_whole_lines_that_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    add_to_summary("first\n")
    add_to_summary("вся строка\n" * MOST_BYTES)
    add_to_summary("x" * MOST_BYTES)
    line_bytes = len("вся строка\n".encode())
    assert MOST_BYTES - line_bytes < summary.stat().st_size <= MOST_BYTES
    assert {*summary.read_text().splitlines()} == {"first", "вся строка"}
