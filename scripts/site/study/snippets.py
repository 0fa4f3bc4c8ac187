"""Snippets: run the short programs of the pages, once, and keep what they print.

Unlike the programs of experiments they are not measured: one run by the Python that builds the
pages, in a process of its own. What it printed is kept, so a build runs only what has changed.
"""

import os
import platform
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import msgspec

from scripts.harness.declaration import Reason, read_text
from scripts.harness.experiment import find_newer_python
from scripts.harness.output import clean
from scripts.harness.paths import EXAMPLES, REQUIREMENTS
from scripts.harness.process import Command, Launcher
from scripts.harness.pythons import describe, strip_environment
from scripts.site.kept import keep_file

SNIPPETS = EXAMPLES / "snippets"
_describe = cache(describe)
LIMIT_S = 30.0
"""Of a run: more than ten times what the longest takes on an idle machine."""


class SnippetFailed(Exception):
    """A snippet did not end well within its time.

    ``reason`` says how it ended, ``complaint`` is the last line that it wrote to stderr.
    """

    def __init__(self, reason: Reason, complaint: str) -> None:
        super().__init__(f"{reason} {complaint}".strip())
        self.reason = reason
        self.complaint = complaint


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What a snippet printed, stdout before stderr; by which Python, and when (ISO 8601, UTC)."""

    text: str
    python: str
    ran_at: str


def run_snippet(name: str) -> Printed:
    """What a snippet prints: kept from an earlier run, or run and kept.

    Raises:
        SnippetFailed: it ended with an error, or not in time.
        LauncherError: nothing can be run.
    """
    path = SNIPPETS / f"{name}.py"
    # It may print other things with another Python or other packages; and we, keep it otherwise.
    read = (one.read_bytes() for one in (path, REQUIREMENTS, Path(__file__)))
    told = (name, sys.version, *read)
    content = keep_file("snippets", told, lambda: msgspec.json.encode(_run(path)))
    return msgspec.json.decode(content, type=Printed)


def read_snippet(name: str) -> str:
    """Its source."""
    return read_text(SNIPPETS / f"{name}.py")


def find_obstacle(since: str, system: str, *, online: bool) -> Reason | None:
    """Why a snippet cannot be run by this Python on this system; ``None`` if it can.

    It may need a version of Python, ``3.14``, a system as ``platform.system`` names it, or a server on
    the internet, which a build never asks.
    """
    if system and system != platform.system():
        return Reason("wrong-system", {"system": system})
    newer = find_newer_python(since, sys.version_info[:2])
    return newer or (Reason("needs-internet") if online else None)


def _run(path: Path) -> Printed:
    installation = _describe(Path(sys.executable))
    command = Command(
        argv=(sys.executable, path.name),
        env=strip_environment(os.environ) | {"PYTHONDONTWRITEBYTECODE": "1"},
        cwd=path.parent,
        timeout_s=LIMIT_S,
        grace_s=0.0,
    )
    with Launcher() as launcher:
        outcome = launcher.run(command)
    if outcome.reason:
        complaint = outcome.stderr.strip().rpartition("\n")[2]
        raise SnippetFailed(outcome.reason, clean(complaint, installation))
    interpreter = installation.interpreter
    return Printed(
        text=clean(f"{outcome.stdout}{outcome.stderr}".rstrip(), installation),
        python=interpreter.title,
        ran_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
