"""A command that cannot go on says why and fails; a traceback is for mistakes of ours."""

import sys
from pathlib import Path

import pytest

from scripts import __main__ as command_line
from scripts.measure.load_server import LoadServerError
from scripts.measure.process import LauncherError
from scripts.settings import BadSetting


def run(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int:
    """The exit status where measuring ends with ``error``."""

    def fail(site: Path) -> int:
        raise error

    monkeypatch.setitem(command_line.COMMANDS, "measure", (fail, "measure"))
    monkeypatch.setattr(sys, "argv", ["scripts", "measure"])
    return command_line.main()


@pytest.mark.parametrize("problem", [BadSetting, LoadServerError, LauncherError])
def test_what_stops_a_command_is_told_in_a_sentence(
    problem: type[Exception],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(monkeypatch, problem("why it cannot be")) != 0
    assert capsys.readouterr().err == "why it cannot be\n"


def test_a_mistake_of_ours_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        run(monkeypatch, ZeroDivisionError())


def test_who_stops_measuring_is_told_that_what_was_done_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, KeyboardInterrupt()) != 0
    assert "kept" in capsys.readouterr().out
