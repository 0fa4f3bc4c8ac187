"""What a run of Actions tells is shown, however much there is to tell."""

import pytest

from scripts.harness.output import defuse


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
