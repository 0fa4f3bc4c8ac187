"""A command that cannot go on says why and fails; a traceback is for mistakes of ours."""

import sys
from pathlib import Path
from typing import ClassVar

import pytest

from scripts import __main__ as command_line
from scripts.measure.load_server import LoadServerError
from scripts.measure.process import LauncherError
from scripts.settings import BadSetting, Settings
from tests.factories import make_machine


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


def test_another_profile_than_the_one_asked_for_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Elsewhere:
        """The pipeline of a machine that has records of another profile."""

        machine = make_machine()
        profile = "full"
        experiments: ClassVar[dict[str, object]] = {}

        def __init__(self, settings: Settings, *, retry: bool) -> None:
            self.settings = settings

        def measure(self, names: tuple[str, ...]) -> None:
            """There is nothing to measure."""

    monkeypatch.setattr(command_line, "Pipeline", Elsewhere)
    monkeypatch.setattr(sys, "argv", ["scripts", "measure"])
    for asked, told in (
        ("quick", "box has no records of PROFILE=quick; showing full\n"),
        ("full", ""),
    ):
        monkeypatch.setenv("PROFILE", asked)
        assert command_line.main() == 0
        assert capsys.readouterr().out == told
