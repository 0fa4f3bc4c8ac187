"""A command that cannot go on says why and fails; a traceback is for mistakes of ours."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from poolwise.process import LauncherError
from poolwise.trial import LoadServerError
from scripts.site import __main__ as command_line
from scripts.site.settings import BadSetting
from tests.site.test_signals import heed_signals

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (BadSetting("why"), "why\n"),
        (LoadServerError("why"), "why\n"),
        (LauncherError("why"), "why\n"),
        (OSError(errno.EROFS, "Read-only", "/r/x.json"), "/r/x.json: Read-only\n"),
        (OSError(errno.ENOSPC, "No space left"), "No space left (while "),
    ],
)
def test_what_stops_a_command_is_told_in_a_sentence(
    error: Exception, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(chosen: object) -> int:
        raise error

    monkeypatch.setattr(command_line, "end_in_order", lambda: None)  # of the tests' own process
    monkeypatch.setitem(command_line.COMMANDS, "measure", fail)
    monkeypatch.setattr(sys, "argv", ["scripts", "measure"])
    assert command_line.main() == 2
    told = capsys.readouterr().err
    assert told.startswith(said)
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("package", "command", "module"),
    [
        ("scripts.site", "measure", "scripts.site.study.pipeline"),
        ("scripts.site", "mine", "poolwise.commands"),
    ],
)
def test_who_stops_a_command_while_it_is_still_being_imported_gets_no_traceback(
    package: str, command: str, module: str
) -> None:
    code = (
        "import os, runpy, signal, sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == '{module}': os.kill(os.getpid(), signal.SIGINT)\n"
        f"sys.meta_path.insert(0, Stop()); sys.argv[1:] = ['{command}']\n"
        f"runpy.run_module('{package}', run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {"ONLY": "no-such-program", "DO": "compare a.py b.py"},
        preexec_fn=heed_signals,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 128 + signal.SIGINT
    assert done.stderr == b""
    assert (b"is kept" in done.stdout) == (command == "measure")
