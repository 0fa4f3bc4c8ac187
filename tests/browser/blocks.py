"""Command blocks: found in a page's HTML, and run as a reader does who follows the page.

A block is run in an empty folder with the page's downloads, by a Python without packages. Packages that
a block installs come as wheels made of what the tests' own environment has: nothing is fetched. A block
in terminal 2 belongs to the one in terminal 1 before it, which runs meanwhile and is ended by Ctrl-C.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
import venv
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from html import unescape
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import psutil

REASONS = {
    "system": "needs another system",
    "account": "needs an account",
    "long": "takes longer than two minutes",
    "tests": "is the test suite itself",
}
"""Why a block is not run, by the word in the comment above it: ``<!-- not run: long -->``."""
LONGEST_S = 600
"""What has not ended by then hangs, on any machine."""
PATIENCE_S = 60
"""How long a server may take to listen, and to end after Ctrl-C."""

_PART = re.compile(
    r"<!--\s*not run:(?P<reason>.*?)-->"
    r'|<div class="commands" data-terminal="(?P<terminal>\d)">'
    r'|<a (?=[^>]*\bdownload\b)[^>]*href="(?P<address>[^"]*/examples/[^"]*)"[^>]*>'
    r'|<div class="(?P<classes>(?:language-\w+ )?highlight)">'
    r'(?:<span class="filename">(?P<file>.*?)</span>)?<pre[^>]*>(?P<code>.*?)</pre>'
    r'|<table class="[^"]*\boutputs\b[^"]*">(?P<outputs>.*?)</table>',
    re.DOTALL,
)
_SAVED_AS = re.compile(r'\bdownload="([^"]+)"')
_PRINTED = re.compile(r"<td[^>]*><code>(.*?)</code></td>", re.DOTALL)
_SHELLS = re.compile(r"language-(console|bash|sh|shell)\b")
_PROMPT = re.compile(r"^\$ ", re.MULTILINE)
_PLACEHOLDER = re.compile(r"…|<\w+>|\.\.\.")
_END = "== the command ended with status"
_ENDED = re.compile(rf"{_END} (\d+)\n")
_INTERRUPTED = (0, 128 + signal.SIGINT, -signal.SIGINT)
_COMPLAINT = re.compile(r"Traceback \(most recent call last\)|KeyboardInterrupt")
_OURS = re.compile(r"PYTHON|PYTEST|COV_|VIRTUAL_ENV|SERVER_|SSL_CERT|PIP_|UV_|MAKE|LC_")
_MEASURED = (
    (re.compile(r"\d[\d.]* to \d[\d.]*|\d[\d.,]*–\d[\d.,]*"), "# to #"),
    (re.compile(r"\d+[.,]\d+"), "#"),
    (re.compile(r"\d+(?= ?(?:s|ms|µs|MB|MiB|times|threads|раза?|потоков)\b| ?%)"), "#"),
    (re.compile(r"(#\)?\s+)\d+\b"), r"\1#"),  # the next cell of a row
    (re.compile(r"# раза\b"), "# раз"),
)
"""What differs from run to run: times, shares, memory and ratios."""


class BadBlock(ValueError):
    """A block that nobody can follow, or a mark that marks nothing."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command, and the lines that the page says it prints; none if it says nothing of them."""

    text: str
    printed: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(shlex.split(self.text, comments=True))


@dataclass(frozen=True, slots=True)
class Block:
    """What is typed into one terminal, in order; with a reason it is not run."""

    commands: tuple[Command, ...]
    terminal: int = 1
    reason: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """The same for blocks of which it is enough to run one: whatever their comments say."""
        return self.terminal, *((command.words, command.printed) for command in self.commands)

    @property
    def examples(self) -> tuple[str, ...]:
        """The files and folders of ``examples`` that its commands name."""
        words = (word for command in self.commands for word in command.words)
        return tuple(word for word in words if word.startswith("examples/"))


@dataclass(frozen=True, slots=True)
class Page:
    """All of a page that a reader follows."""

    blocks: tuple[Block, ...]
    downloads: dict[str, str]
    """Addresses by the name under which each is saved."""
    files: dict[str, str]
    """Texts to save, by the file name that stands above each."""
    outputs: tuple[str, ...]
    """What its programs printed, as its table has it."""

    @property
    def has_archive(self) -> bool:
        """Tell whether it offers the programs of an experiment, or of the lessons."""
        return any(name.endswith(".zip") for name in self.downloads)

    @property
    def sessions(self) -> list[list[Block]]:
        """The blocks that are run together: one, or a server and what asks it."""
        sessions: list[list[Block]] = []
        for block in self.blocks:
            if block.terminal == 1:
                sessions.append([])
            sessions[-1].append(block)
        return sessions


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has ended."""

    command: Command
    printed: str
    status: int
    wall_s: float


def find_page(html: str) -> Page:
    """Find the command blocks of a page, and what the page has for them.

    Raises:
        BadBlock: a block cannot be followed, or a mark has no block or no known reason.
    """
    blocks: list[Block] = []
    downloads: dict[str, str] = {}
    files: dict[str, str] = {}
    outputs: list[str] = []
    reason, terminal = "", 0
    for part in _PART.finditer(html):
        if part["reason"] is not None:
            if reason:
                raise BadBlock(f"nothing is marked by {reason!r}")
            reason = part["reason"].strip()
            if reason not in REASONS:
                raise BadBlock(f"not run: {reason!r} is none of {', '.join(REASONS)}")
        elif part["terminal"]:
            terminal = int(part["terminal"])
        elif part["address"]:
            name = _SAVED_AS.search(part[0])
            downloads[name[1] if name else part["address"].rpartition("/")[2]] = part["address"]
        elif part["outputs"] is not None:
            outputs += map(_read, _PRINTED.findall(part["outputs"]))
        elif part["file"]:
            files[_read(part["file"])] = _read(part["code"])
        else:
            code = _read(part["code"])
            if terminal or _SHELLS.search(part["classes"]) or _PROMPT.match(code):
                blocks.append(Block(_read_commands(code), terminal or 1, reason))
                reason, terminal = "", 0
    if reason:
        raise BadBlock(f"nothing is marked by {reason!r}")
    if blocks and blocks[0].terminal != 1:
        raise BadBlock(f"there is no terminal 1 for {blocks[0].commands[0].text!r}")
    return Page(tuple(blocks), downloads, files, tuple(outputs))


def _read(markup: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", markup))


def _read_commands(code: str) -> tuple[Command, ...]:
    """Read commands: after prompts with what each prints between them, or else a line each."""
    typed: list[str] = []
    printed: list[str] = []
    has_prompts = bool(_PROMPT.search(code))
    for line in code.strip("\n").split("\n"):
        if typed and typed[-1].endswith("\\"):
            typed[-1] += f"\n{line.removeprefix('> ')}"
        elif line.startswith("$ ") or (not has_prompts and line.strip()):
            typed.append(line.removeprefix("$ "))
            printed.append("")
        elif printed:
            printed[-1] += f"{line}\n"
        elif line.strip():
            raise BadBlock(f"nothing prints {line!r}")
    commands = tuple(map(Command, typed, printed))
    for command in commands:
        if _PLACEHOLDER.search(command.text):
            raise BadBlock(f"nobody can type {command.text!r} as it is printed")
        try:
            words = command.words
        except ValueError as error:
            raise BadBlock(f"{command.text!r}: {error}") from None
        if not words:
            raise BadBlock(f"{command.text!r} is no command")
    if not commands:
        raise BadBlock("a block has no command")
    return commands


def prints_as_said(printed: str, said: str) -> bool:
    """Tell whether lines are those that the page has, measured numbers apart; its ``…`` is any lines."""
    lines = (r"(.*\n)*" if line == "…" else re.escape(line) + r"\n" for line in _list_lines(said))
    return bool(re.fullmatch("".join(lines), "".join(f"{one}\n" for one in _list_lines(printed))))


def _list_lines(text: str) -> list[str]:
    for pattern, sign in _MEASURED:
        text = pattern.sub(sign, text)
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [line for line in lines if line]


def has_printed(done: Sequence[Done], output: str) -> bool:
    """Tell whether a command has printed these lines, measured numbers apart, among others."""
    wanted = "\n".join(_list_lines(output))
    return any(wanted in "\n".join(_list_lines(one.printed)) for one in done)


class Place:
    """An empty folder with a Python of its own, where a page is followed.

    Args:
        folder: where to make both; its path is short, for sockets of processes are below it.
        wheels: where packages are installed from.
    """

    def __init__(self, folder: Path, wheels: Path) -> None:
        self.work = folder / "work"
        self.work.mkdir()
        python = folder / "python"
        venv.create(python, symlinks=True)
        (packages,) = python.glob("lib/python*/site-packages")
        (packages / "pip.pth").write_text(str(wheels / "pip"), encoding="utf-8")
        kept = {name: value for name, value in os.environ.items() if not _OURS.match(name)}
        own = [str(python / "bin"), *os.environ["PATH"].split(os.pathsep)]
        (folder / "tmp").mkdir()
        self._environment = kept | {
            "PATH": os.pathsep.join(one for one in own if Path(one) != Path(sys.executable).parent),
            "TMPDIR": str(folder / "tmp"),
            "LANG": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(wheels),
            "PIP_NO_COMPILE": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_ROOT_USER_ACTION": "ignore",
        }

    def follow(self, session: Sequence[Block]) -> Iterator[Done]:
        """Run blocks in their terminals; what runs in the first ends with Ctrl-C after the others.

        Raises:
            BadBlock: something takes too long, or a server does not listen or ends with complaints.
        """
        if len(session) == 1:
            yield from self._type(session[0])
            return
        with self._serve(session[0]):
            for block in session[1:]:
                yield from self._type(block)

    def _start(self, script: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ("bash", "-c", script),
            cwd=self.work,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )

    def _type(self, block: Block) -> Iterator[Done]:
        lines = (f"{one.text}\nprintf '\\n{_END} %d\\n' $?\n" for one in block.commands)
        process = self._start("".join(lines))
        alarm = threading.Timer(LONGEST_S, _kill, [process])
        alarm.start()
        left, printed = list(block.commands), ""
        begun_s = time.monotonic()
        try:
            for line in process.stdout or ():
                if ended := _ENDED.fullmatch(line):
                    now_s = time.monotonic()
                    yield Done(left.pop(0), printed[:-1], int(ended[1]), now_s - begun_s)
                    printed, begun_s = "", now_s
                else:
                    printed += line
            process.wait()
        finally:
            alarm.cancel()
            _kill(process)
        if left:
            raise BadBlock(f"{left[0].text!r} does not end within {LONGEST_S} s: {printed[-500:]}")

    @contextmanager
    def _serve(self, block: Block) -> Iterator[None]:
        process = self._start("\n".join(one.text for one in block.commands))
        printed: list[str] = []
        reader = threading.Thread(target=lambda: printed.extend(process.stdout or ()))
        reader.start()
        name = block.commands[-1].text
        try:
            until_s = time.monotonic() + PATIENCE_S + len(block.commands) * PATIENCE_S
            while not _listens(process.pid):
                if process.poll() is not None or time.monotonic() > until_s:
                    raise BadBlock(f"{name!r} does not listen: {''.join(printed)[-500:]}")
                time.sleep(0.05)
            yield
            os.killpg(process.pid, signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE_S)
        finally:
            _kill(process)
            reader.join()
        told = "".join(printed)
        if process.wait() not in _INTERRUPTED or _COMPLAINT.search(told):
            raise BadBlock(f"{name!r} does not end quietly with Ctrl-C: {told[-500:]}")


def _listens(pid: int) -> bool:
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        family = (process, *process.children(recursive=True))
        sockets = (socket for one in family for socket in one.net_connections())
        return any(socket.status == psutil.CONN_LISTEN for socket in sockets)
    return False


def _kill(process: subprocess.Popen[str]) -> None:
    """End a terminal with all that was started in it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def make_wheels(folder: Path, names: Sequence[str]) -> None:
    """Make wheels of packages as this environment has them, and put its pip beside them."""
    (folder / "pip").mkdir()
    (folder / "pip" / "pip").symlink_to(str(distribution("pip").locate_file("pip")))
    for name in names:
        with suppress(PackageNotFoundError):
            _make_wheel(folder, name)


def _make_wheel(folder: Path, name: str) -> None:
    package = distribution(name)
    tags = re.findall(r"^Tag: (\S+)-(\S+)-(\S+)$", package.read_text("WHEEL") or "", re.MULTILINE)
    parts = (".".join(sorted(set(part))) for part in zip(*tags, strict=True))
    stem = package.metadata["Name"].replace("-", "_")
    path = folder / f"{stem}-{package.version}-{'-'.join(parts)}.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for file in package.files or ():
            if {"..", "tests"}.isdisjoint(file.parts) and file.suffix != ".pyc":
                wheel.write(file.locate(), file.as_posix())
