"""What a run of Actions tells is shown, however much there is to tell."""

from pathlib import Path

import pytest

from scripts.harness.output import defuse
from scripts.site.summary import MOST_BYTES, add_to_summary


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


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\r", "\u2028", "\x0b"])
@pytest.mark.parametrize("command", ["::error::x", " \t::add-mask::e", "a ##[error]x", "\x1b::x::"])
def test_no_line_is_a_command_to_a_runner_whatever_a_program_said(
    break_: str, command: str
) -> None:
    told = defuse(f"first{break_}{command}{break_}last: a::b").splitlines()
    assert len(told) == 3
    assert all(line.isprintable() for line in told)
    assert not any(line.lstrip().startswith("::") or "##[" in line for line in told)
    assert (told[0], told[2]) == ("first", "last: a::b")
