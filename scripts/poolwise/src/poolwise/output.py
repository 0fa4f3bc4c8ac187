"""Output: what a program wrote, as readings and as text that is fit to be published."""

import html
import os
import re
import tempfile
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent, indent

from poolwise.declaration import Reason
from poolwise.paths import ROOT
from poolwise.pythons import Installation
from poolwise.record import CONTROLS, LONGEST_TEXT

# How much of stdout and of stderr is kept; the middle of anything longer is left out.
OUTPUT_LIMIT_BYTES = 1 << 20
CLEAR_LINE = "\r\x1b[K"  # back to the begin of a terminal's line, which is empty then
STDERR_LINES = 40  # last lines of a failed program's stderr that are kept for the page

_TIME = re.compile(r"^time (\d{1,15}\.\d+) s$\n?", re.MULTILINE)
_READING = re.compile(r"^([a-z][a-z0-9_]*) (\d{1,15}(?:\.\d+)?) \S+$\n?", re.MULTILINE)
# A number as Python prints it that is neither of those above: negative, none, too long, of another
# form.
_NO_NUMBER = re.compile(
    r"^(time(?= \S+ s$)|[a-z][a-z0-9_]*) ([-+]?(?:nan|inf(?:inity)?|\d[\d.]*(?:e[-+]?\d+)?)) \S+$",
    re.MULTILINE | re.IGNORECASE,
)
# Before each line of what an exception group is about.
_IN_GROUP = re.compile(r"^ *\| ", re.MULTILINE)
_TRACEBACK = ("Traceback (", "During handling of", "The above exception was")
# A line, or an error whose message begins on the next: then it goes on as far as it is indented.
_COMPLAINT = re.compile(r"^([\w.]+:) *\n((?:[ \t].*\n?|\n)+)|^(\S.*)", re.MULTILINE)
# What erases the rest of a line, or all of it, acts like the signs that go back; see below.
_ERASING = re.compile(r"(?:\x1b\[|\x9b)([02]?)K")
# Texts to a terminal (titles, links, pictures), which end with BEL or ST, or with the line; control
# sequences such as colours; choices of a character set and other short ones. By ECMA-48.
_ESCAPES = re.compile(
    r"(?:\x1b[]PX^_]|[\x90\x98\x9d-\x9f])(?:[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|[^\n\x1b]*)"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|\x1b[ -/]*[0-~]",
    re.MULTILINE,
)
_SEPARATOR = r"(?:\\*/|%2[Ff])"
# A path begins behind no letter, unless that is the end of an escaped sign.
_BEFORE = r"(?:(?<![\w.-])|(?<=\\[abfnrtv])|(?<=\\x\w\w)|(?<=\\u\w{4})|(?<=%[0-9A-F]{2}))"
_AFTER = r"(?!\.?[\w-])"
# The home of whoever it is.
_SOMEBODY = re.compile(
    rf"{_BEFORE}{_SEPARATOR}(?:home|Users){_SEPARATOR}(?:(?!%2[Ff])[^/\s'\":])+(?<!\\)"
)
_SYSTEM = ("/", "/usr")  # they are nobody's, even where a home or an interpreter is there


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


def clean(
    text: str,
    installation: Installation,
    limit: int = LONGEST_TEXT,
    folders: Mapping[Path, str] | None = None,
) -> str:
    """Clean a text of what says whose machine it was and of control characters; cut it to the limit.

    Paths begin with ``.`` for the repository, the interpreter's id, ``<tmp>`` or ``~``, or with the
    names of further ``folders``. Of more characters than the ``limit``, the middle is left out.
    """
    text = CONTROLS.sub("", replay_terminal(text))
    for folder, name in _list_folders(installation, folders or {}):
        text = re.sub(f"{_BEFORE}{spell(folder)}{_AFTER}", name, text)
    text = _SOMEBODY.sub("~", text)
    if len(text) <= limit:
        return text
    half = limit // 2 - 50
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"


def replay_terminal(text: str) -> str:
    """Return what a terminal would show in the end: without escapes, lines written over each other."""
    text = _ERASING.sub(lambda code: "\r\0" if code[1] == "2" else "\0", text.replace("\0", ""))
    lines = []
    for line in _ESCAPES.sub("", text).split("\n"):
        if not re.search("[\b\r\0]", line):
            lines.append(line)
            continue
        signs: list[str] = []
        place = 0
        for sign in line:
            if sign == "\r":
                place = 0
            elif sign == "\b":
                place = max(0, place - 1)
            elif sign == "\0":
                del signs[place:]
            else:
                signs[place : place + 1] = [sign]
                place += 1
        lines.append("".join(signs))
    return "\n".join(lines)


@cache
def spell(folder: str) -> str:
    """Make a pattern of a path however it is spelt.

    As it is, in strings and bytes of Python and JSON, however often they were quoted, in addresses,
    HTML and commands: each sign by itself, as a text may be cut and quoted anew anywhere.
    """
    return "".join(map(_spell_sign, folder))


def _spell_sign(sign: str) -> str:
    if sign == "/":
        return _SEPARATOR
    if sign.isascii() and (sign.isalnum() or sign in "-._~"):
        return re.escape(sign)
    data, code = sign.encode(errors="surrogateescape"), ord(sign)
    units = sign.encode("utf-16-be", "surrogatepass").hex()
    spellings = {
        r"\\*" + re.escape(sign),
        re.escape(unicodedata.normalize("NFD", sign)),
        re.escape(html.escape(sign)),
        f"&#0*{code};",
        f"&#x0*{code:x};",
        rf"\\+U{code:08x}",
        "".join(rf"\\+u{units[start : start + 4]}" for start in range(0, len(units), 4)),
        "".join(rf"\\+x{byte:02x}" for byte in data),
        "".join(f"%{byte:02x}" for byte in data),
    }
    if code < 256:
        spellings.add(rf"\\+x{code:02x}")
    if sign == "'":
        spellings |= {r"'\\+''", "'\"'\"'"}  # by a shell
    if sign == " ":
        spellings.add(r"\+")
    return f"(?i:{'|'.join(sorted(spellings, key=len, reverse=True))})"


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


def _list_folders(installation: Installation, further: Mapping[Path, str]) -> list[tuple[str, str]]:
    """List folders that are private, with the name for each; the longest first, as one may hold another."""
    names = {
        **further,
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
