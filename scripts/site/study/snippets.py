"""Snippets: the short programs of the pages, and the records of what they print.

Unlike the programs of experiments they are not measured: each is run once, in a copy of its folder, by
the Python whose numbers the pages show. What it printed is kept with the results, so a machine without that Python shows it too.
A session is a snippet of another kind: a folder of files, and a command of our own tool about them. It is
run in each language; where it finds that nothing is known, that is no record.
"""

import hashlib
import os
import platform
import shlex
import shutil
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import msgspec
from msgspec import Meta
from packaging.version import Version as Release

from poolwise.declaration import Declared, Reason, convert, read_toml, refuse
from poolwise.dependencies import find_imported, prepare, read_source
from poolwise.machine import Line, Name
from poolwise.output import clean
from poolwise.process import Command, Launcher
from poolwise.progress import report
from poolwise.pythons import (
    Installation,
    Interpreter,
    discover,
    rank_interpreter,
    strip_environment,
)
from poolwise.record import Fingerprint, Text
from poolwise.run import take_turn
from poolwise.store import DamagedRecords, read_bytes, replace_file
from scripts.site.declare.texts import list_languages
from scripts.site.paths import EXAMPLES, RESULTS

SNIPPETS = EXAMPLES / "snippets"
NEEDS = "needs.toml"
FILE = "snippets.json"  # in a folder of results: the records, one a line
LARGEST_BYTES = 4 << 20
LIMIT_S = 30.0  # more than ten times what the longest takes on an idle machine
SESSION_LIMIT_S = 120.0
NOT_KNOWN = 3  # the exit status of a session that has no answer


class Needs(Declared, frozen=True, kw_only=True):
    """What a snippet takes to run.

    A Python ``since`` a version; a ``system``, as ``platform.system`` names it; a server on the internet
    (``online``), which a build never asks; our own ``tool``, which only the Python of the build has, and
    the arguments that it gets.
    """

    since: Annotated[str, Meta(pattern=r"^3\.\d+$(?!\n)")] = "3.11"
    system: str = ""
    online: bool = False
    tool: str = ""

    def find_obstacle(self) -> Reason | None:
        """Why no Python of this machine can run it; ``None`` if one may."""
        if self.system not in ("", platform.system()):
            return Reason("wrong-system", {"system": self.system})
        return Reason("needs-internet") if self.online else None


class Printed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The record of one run: the text of stdout and stderr, of a session that of stderr first.

    ``python`` is the name of the Python that ran it, ``digest`` is of the source and its packages.
    """

    snippet: Name
    python: Line
    digest: Fingerprint
    ran_at: Annotated[datetime, Meta(tz=True)]
    text: Text

    @property
    def is_current(self) -> bool:
        """Tell whether the snippet is still what was run."""
        exists = locate(self.snippet).exists()
        return exists and self.digest == take_digest(self.snippet, self.python)


@dataclass(frozen=True, slots=True)
class Failed:
    """How a snippet ended that did not end well, and the last line that it wrote to stderr."""

    reason: Reason
    complaint: str


Outcome = Printed | Failed | Reason
"""A ``Reason`` says why a snippet was not run."""


def locate(snippet: str) -> Path:
    """Return the program of a snippet, or the folder of a session, whose name ends with a language."""
    session = snippet.rpartition("-")[0]
    is_session = session and (SNIPPETS / session).is_dir()
    return SNIPPETS / (session if is_session else f"{snippet}.py")


def list_snippets() -> dict[str, Needs]:
    """List all snippets with what they need, and each session in each language.

    Raises:
        MalformedDeclaration: something needs what cannot be needed, or there is no such snippet.
    """
    path = SNIPPETS / NEEDS
    declared = convert(read_toml(path), dict[str, Needs], path)
    sessions = {name: needs for name, needs in declared.items() if needs.tool}
    names = sorted(file.stem for file in SNIPPETS.glob("*.py"))
    known = {*names} - sessions.keys() | {folder.name for folder in SNIPPETS.glob("*/")}
    refuse(path, (([name], "no such snippet") for name in declared if name not in known))
    snippets = {name: declared.get(name, Needs()) for name in names}
    for language in list_languages():
        snippets |= {f"{name}-{language}": needs for name, needs in sessions.items()}
    return snippets


def take_digest(snippet: str, python: str) -> str:
    """Digest of the text of a snippet, whose lines a traceback counts, and of its packages' pins.

    Of a session: of its files and its command.
    """
    place, version = locate(snippet), str(rank_interpreter(python)[1])
    if place.is_dir():
        parts = [list_snippets().get(snippet, Needs()).tool]
        for file in sorted(place.glob("*.*")):
            parts += [file.name, file.read_text(encoding="utf-8")]
    else:
        parts = [read_source(place), *_find_packages(snippet, version).values()]
    text = "\n".join(parts)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _find_packages(snippet: str, version: str) -> dict[str, str]:
    """Find the packages that a snippet imports; a session imports none but our own tool."""
    place = locate(snippet)
    return {} if place.is_dir() else find_imported(place, version)


def read_printed(results: Path) -> tuple[Printed, ...]:
    """Read the records in a folder of results; none if it has no such file.

    Raises:
        DamagedRecords: the file is none of ours.
        RecordsError: it cannot be read.
    """
    path = results / FILE
    data = read_bytes(path, LARGEST_BYTES)
    try:
        return () if data is None else msgspec.json.decode(data, type=tuple[Printed, ...])
    except (ValueError, RecursionError) as error:
        raise DamagedRecords(f"{path}: {error}") from None


def collect_printed(
    results: Path, measured: Interpreter, *, recorded: bool = False, kept: Path | None = None
) -> dict[str, Outcome]:
    """Give what each snippet printed on the Python nearest to the one ``measured``: kept, or run and kept.

    That is a Python which is here or has a record, in ``results`` or among those that are shipped; if
    any has one and what is ``recorded`` will do, only such. What is run is ``kept`` in another folder if
    one is named.

    Raises:
        MalformedDeclaration: as ``list_snippets``.
        LauncherError: nothing can be run.
        RecordsError: nothing can be kept.
    """
    records: dict[str, dict[str, Printed]] = {}
    kept = kept or results
    for folder in dict.fromkeys((RESULTS, results, kept)):
        for record in _read_readable(folder):
            if record.is_current:
                records.setdefault(record.snippet, {})[record.python] = record
    outcomes: dict[str, Outcome] = {}
    launcher: Launcher | None = None
    with ExitStack() as stack:
        for name, needs in list_snippets().items():
            known = records.get(name, {})
            choices: dict[str, Printed | Installation] = {**known}
            if not (recorded and known):
                choices = _list_able(needs) | choices
            outcome: Outcome = needs.find_obstacle() or Reason(
                "needs-python", {"since": needs.since}
            )
            for python in rank_pythons(choices, name_python(measured), needs.since):
                choice = choices[python]
                if isinstance(choice, Printed):
                    outcome = choice
                    break
                if launcher is None:
                    stack.enter_context(take_turn(kept))
                    launcher = stack.enter_context(Launcher())
                outcome = _run(name, needs, choice, launcher)
                if isinstance(outcome, Printed):
                    _keep(kept, outcome)
                if not isinstance(outcome, Reason):  # else another Python may run it
                    break
            outcomes[name] = outcome
    return outcomes


@cache
def list_pythons() -> dict[str, Installation]:
    """List the Pythons of this machine by their names."""
    pythons: dict[str, Installation] = {}
    for installation in discover():
        pythons.setdefault(name_python(installation.interpreter), installation)
    return pythons


def name_python(interpreter: Interpreter) -> str:
    """Name a Python by its version and flags: what it prints does not depend on who has built it."""
    other = interpreter.other and f"-{interpreter.other}"
    return interpreter.title.replace(other, "")


def rank_pythons(pythons: Iterable[str], measured: str, since: str) -> list[str]:
    """Rank the Pythons that have come ``since`` a version, the nearest to the one ``measured`` first.

    That is this Python itself, then the nearest minor version, of which the newest release.
    """
    implementation, release, flags = rank_interpreter(measured)
    first = Release(since).minor
    nearest = max(release.minor, first)

    def find_distance(python: str) -> tuple[bool, bool, int]:
        kind, version, build = rank_interpreter(python)
        is_other = (kind, build) != (implementation, flags)
        return python != measured, is_other, abs(version.minor - nearest)

    possible = [python for python in pythons if rank_interpreter(python)[1].minor >= first]
    possible.sort(key=rank_interpreter, reverse=True)
    return sorted(possible, key=find_distance)


def _read_readable(results: Path) -> tuple[Printed, ...]:
    """Read records as ``read_printed``; of a damaged file none, which is reported."""
    try:
        return read_printed(results)
    except DamagedRecords as error:
        report(f"left out: {error}")
        return ()


def _list_able(needs: Needs) -> dict[str, Printed | Installation]:
    """List the Pythons of this machine that may run what has such needs."""
    if needs.find_obstacle():
        return {}
    pythons = list_pythons().items()
    builder = Path(sys.executable)
    return {name: python for name, python in pythons if not needs.tool or python.path == builder}


def _run(snippet: str, needs: Needs, installation: Installation, launcher: Launcher) -> Outcome:
    """Run a snippet or a session in a copy of its folder; a ``Reason`` where it lacks a package."""
    environment = prepare(installation, _find_packages(snippet, installation.interpreter.version))
    if environment.problem:
        report(environment.problem)
    if environment.missing:
        return next(iter(environment.missing.values()))
    installation = environment.installation
    place, python = locate(snippet), name_python(installation.interpreter)
    source = place if needs.tool else place.parent
    argv, limit_s, name = [place.name], LIMIT_S, "./examples/snippets"
    env = {**strip_environment(os.environ), **installation.env, "PYTHONDONTWRITEBYTECODE": "1"}
    if needs.tool:
        language = snippet.rpartition("-")[2]
        argv = ["-m", "poolwise", *shlex.split(needs.tool), "--lang", language]
        limit_s, name = SESSION_LIMIT_S, "~/project"
        env["INTERPRETERS"] = "current"
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        # As deep as in the repository: what a snippet writes some folders above stays here, too.
        copy = Path(folder, "project", "examples", "snippets")
        shutil.copytree(source, copy)
        if not needs.tool:
            env["PYTHONPATH"] = os.pathsep.join(
                [_make_start(Path(folder)), *filter(None, [env.get("PYTHONPATH")])]
            )
        command = Command(
            argv=(str(installation.path), *argv),
            env=env,
            cwd=copy,
            timeout_s=limit_s,
            grace_s=0.0,
            merged=not needs.tool,
        )
        outcome = launcher.run(command)
        folders = {copy: name}
        stdout, stderr = (
            clean(text, installation, folders=folders) for text in (outcome.stdout, outcome.stderr)
        )
    # The plan of a session comes before its answer.
    text = f"{stderr}{stdout}".rstrip()
    if needs.tool and outcome.exit_code == NOT_KNOWN:
        return Reason("cannot-here", {"says": (stdout or stderr).partition("\n")[0]})
    if outcome.reason:
        return Failed(outcome.reason, (stderr or stdout).strip().rpartition("\n")[2])
    return Printed(
        snippet=snippet,
        python=python,
        digest=take_digest(snippet, python),
        ran_at=datetime.now(UTC).replace(microsecond=0),
        text=text,
    )


def _make_start(folder: Path) -> str:
    """Make a folder for the path of Python that has it write line by line, as at a terminal.

    A file would get what was printed in blocks, and so behind what went to stderr meanwhile.
    """
    start = folder / "start"
    start.mkdir()
    (start / "sitecustomize.py").write_text(
        "import sys; sys.stdout.reconfigure(line_buffering=True)\n"
    )
    return str(start)


def _keep(results: Path, record: Printed) -> None:
    """Put a record into its file; those of what its snippet was once, or of snippets that are gone, go."""
    records = {(record.snippet, record.python): record}
    for other in _read_readable(results):
        is_known = other.snippet != record.snippet and locate(other.snippet).exists()
        if other.is_current or is_known:
            records.setdefault((other.snippet, other.python), other)
    rows = b",\n".join(msgspec.json.encode(records[key]) for key in sorted(records))
    replace_file(results / FILE, b"[\n%b\n]\n" % rows)
