"""Output: what a program wrote, as readings and as text that is fit to be published."""

import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent
from urllib.parse import quote

from poolwise.declaration import Reason
from poolwise.paths import ROOT
from poolwise.pythons import Installation
from poolwise.record import CONTROLS, LONGEST_TEXT

OUTPUT_LIMIT_BYTES = 1 << 20
"""How much of stdout and of stderr is kept; the middle of anything longer is left out."""
STDERR_LINES = 40
"""Last lines of a failed program's stderr that are kept for the page."""

_TIME = re.compile(r"^time (\d{1,15}\.\d+) s$\n?", re.MULTILINE)
_READING = re.compile(r"^([a-z][a-z0-9_]*) (\d{1,15}(?:\.\d+)?) \S+$\n?", re.MULTILINE)
_NO_NUMBER = re.compile(
    r"^(time(?= \S+ s$)|[a-z][a-z0-9_]*) ([-+]?(?:nan|inf(?:inity)?|\d[\d.]*(?:e[-+]?\d+)?)) \S+$",
    re.MULTILINE | re.IGNORECASE,
)
"""A number as Python prints it that is neither of those above: negative, none, too long, of another form."""
_IN_GROUP = re.compile(r"^ *\| ", re.MULTILINE)
"""Before each line of what an exception group is about."""
_TRACEBACK = ("Traceback (", "During handling of", "The above exception was")
_COMPLAINT = re.compile(r"^([\w.]+:) *\n((?:[ \t].*\n?|\n)+)|^(\S.*)", re.MULTILINE)
"""A line, or an error whose message begins on the next: then it goes on as far as it is indented."""
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_SOMEBODY = re.compile(r"(?<![\w.-])/(?:home|Users)/[^/\s'\":]+")
"""The home of whoever it is."""
_SYSTEM = ("/", "/usr")
"""They are nobody's, even where a home or an interpreter is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Everything that a program printed: its time, the declared readings by name, and the rest.

    ``fault`` is what is wrong with time or readings.
    """

    inside_s: float | None
    readings: Mapping[str, float]
    rest: str
    fault: Reason | None


def read_file(path: Path) -> str:
    """Read what a program has written into a file, the middle left out if it is long."""
    half = OUTPUT_LIMIT_BYTES // 2
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size <= OUTPUT_LIMIT_BYTES:
            return file.read().decode(errors="replace")
        head = file.read(half).decode(errors="replace")
        file.seek(-half, os.SEEK_END)
        tail = file.read().decode(errors="replace")
    return f"{head}\n[… {size - 2 * half} bytes left out …]\n{tail}"


def read_output(stdout: str, names: Sequence[str]) -> Output:
    """Take the ``time`` line and the readings of ``names`` out of what a program printed."""
    time = _TIME.search(stdout)
    readings = {name: float(value) for name, value in _READING.findall(stdout) if name in names}
    # A second time is left there, and so it is a fault.
    rest = _TIME.sub("", stdout, count=1)
    rest = _READING.sub(lambda line: "" if line[1] in names else line[0], rest).strip()
    faults = (
        Reason("no-number", {"name": name, "printed": value[:40]})
        for name, value in _NO_NUMBER.findall(rest)
        if name in ("time", *names)
    )
    return Output(
        inside_s=float(time[1]) if time else None,
        readings=readings,
        rest=rest,
        fault=next(faults, None),
    )


def read_complaints(stderr: str) -> str:
    """Read the end of each traceback: the errors, each once, without the ways that led there."""
    errors: dict[str, None] = {}
    for error, message, line in _COMPLAINT.findall(_IN_GROUP.sub("", stderr)):
        complaint = line or f"{error}\n{indent(dedent(message), '  ')}".rstrip()
        if not complaint.startswith(_TRACEBACK):
            errors[complaint] = None
    return read_end("\n".join(errors))


def read_end(stderr: str) -> str:
    """Return the last lines."""
    return "\n".join(stderr.splitlines()[-STDERR_LINES:])


def clean(text: str, installation: Installation, limit: int = LONGEST_TEXT) -> str:
    """Clean a text of what says whose machine it was and of control characters; cut it to the limit.

    Paths begin with ``.`` for the repository, the interpreter's id, ``<tmp>`` or ``~``. Of more
    characters than the ``limit``, the middle is left out.
    """
    for folder, name in _list_folders(installation):
        for spelt in spell(folder):
            text = re.sub(rf"(?<![\w.-]){re.escape(spelt)}(?![\w.-])", name, text)
    text = CONTROLS.sub("", _COLOUR.sub("", _SOMEBODY.sub("~", text)))
    if len(text) <= limit:
        return text
    half = limit // 2 - 50
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"


def spell(folder: str) -> set[str]:
    """List the spellings of a path: as it is, in ASCII, in strings of Python and JSON, in an address."""
    bare = folder.encode("ascii", "backslashreplace").decode()  # by faulthandler
    quotes = "'\""  # both, so that Python escapes the first of them, wherever it stands
    escaped = (write(quotes + folder)[len("'\\'\"") : -1] for write in (repr, ascii))
    written = (json.dumps(folder, ensure_ascii=is_ascii)[1:-1] for is_ascii in (True, False))
    return {folder, bare, quote(folder), *escaped, *written}


def defuse(text: str) -> str:
    """Lines that a runner shows and takes none of for a command to it, however a program made them.

    It looks for ``::`` at the start of a line, behind blanks too, and for ``##[`` anywhere.
    """
    lines = map(blank_controls, text.splitlines())
    return "\n".join(
        re.sub(r"^(\s*):(?=:)", r"\1: ", line).replace("##[", "## [") for line in lines
    )


def blank_controls(text: str) -> str:
    """Return a text with a blank in the place of each sign that cannot be seen."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def align(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Return rows of cells as lines of a table, the first ``left`` columns read from the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        cells[:left] = map(str.ljust, row[:left], widths)
        lines.append("  ".join(cells).rstrip())
    return lines


def _list_folders(installation: Installation) -> list[tuple[str, str]]:
    """List folders that are private, with the name for each; the longest first, as one may hold another."""
    names = {
        Path(os.environ.get("HOME", "/")): "~",
        Path(tempfile.gettempdir()): "<tmp>",
        ROOT: ".",
    }
    for python in (installation.path, installation.path.resolve()):
        names[python.parent.parent] = installation.interpreter.id
    folders: dict[str, str] = {}
    for path, name in names.items():
        folders |= {str(path): name, str(path.resolve()): name}
    private = [(path, name) for path, name in folders.items() if path[0] == "/"]
    private.sort(key=lambda folder: len(folder[0]), reverse=True)
    return [(path, name) for path, name in private if path not in _SYSTEM]
