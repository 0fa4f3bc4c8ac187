"""What a run of Actions tells is shown, however much there is to tell."""

from pathlib import Path

import pytest

from scripts.summary import MOST_BYTES, add_to_summary


def test_a_summary_is_no_longer_than_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    add_to_summary("first\n")
    add_to_summary("x" * 2 * MOST_BYTES)
    add_to_summary("more")
    assert summary.stat().st_size == MOST_BYTES
    assert summary.read_text().startswith("first\nxxx")
