"""Processes: run a program, wait for its whole tree, and say what it took.

The measuring itself is done by the launcher, a small process apart; see ``launcher``.
"""

import marshal
import os
import py_compile
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from poolwise import launcher
from poolwise.declaration import Reason
from poolwise.output import OUTPUT_LIMIT_BYTES, read_file
from poolwise.record import TracePoint
from poolwise.samplers import Ear, Observer, Sampler

# How long children may outlive a program: long enough for the helpers of multiprocessing, which
# have only to exit, on any machine under any load.
STRAGGLER_GRACE_S = 30.0
CLOSING_LIMIT_S = launcher.TERMINATION_GRACE_S + launcher.KILL_LIMIT_S + 5.0
STARTING_LIMIT_S = 60.0
# How long after all limits of a program the launcher may be silent before it is taken for stopped.
STOPPED_S = CLOSING_LIMIT_S
_SIGNALS = {number.value: number.name for number in signal.Signals}


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A program to run. ``env`` is the whole environment; ``cores`` are CPU ids, ``None`` for all.

    What still lives ``grace_s`` after the program has ended is killed, and counts as left over. If
    its output is ``merged``, what it writes to stderr stands in stdout, where it was written.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: Path
    cores: tuple[int, ...] | None = None
    timeout_s: float | None = None
    grace_s: float = STRAGGLER_GRACE_S
    merged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The end of a command, and what it took.

    ``exit_code`` is ``None`` when a signal ended the program (``signal`` names it) and when it
    could not be started (``error`` says why). ``wall_s`` ends when the program itself has exited;
    ``usage`` is of its whole tree, as ``metrics.Run`` has it. ``leftovers`` counts the processes
    that had to be killed at the end, without child subreapers 1 for all. ``memory`` is what a
    sampler saw, if there was one.
    """

    exit_code: int | None = None
    signal: str | None = None
    timed_out: bool = False
    error: str = ""
    wall_s: float = 0.0
    usage: Mapping[str, float] = field(default_factory=dict)
    leftovers: int = 0
    stdout: str = ""
    stderr: str = ""
    memory: tuple[TracePoint, ...] = ()

    @property
    def ok(self) -> bool:
        """Tell whether the program ran to its end and reported success."""
        return self.exit_code == 0 and not self.timed_out

    @property
    def cpu_s(self) -> float:
        """CPU seconds of the whole tree, in its own code and in the kernel; zero if it did not start."""
        return sum(self.usage.get(name, 0.0) for name in ("ru_utime", "ru_stime"))

    @property
    def reason(self) -> Reason | None:
        """The fault; ``None`` where nothing went wrong."""
        if self.timed_out:
            return Reason("timed-out", {"after_s": round(self.wall_s, 1)})
        if self.signal:
            return Reason("killed", {"signal": self.signal})
        if self.error:
            return Reason("could-not-start", {"error": self.error})
        if self.exit_code:
            return Reason("exited", {"code": str(self.exit_code)})
        return None


class LauncherError(RuntimeError):
    """The launcher, or the folder it works in, is gone, full or was never made: nothing can be measured."""


class Launcher:
    """Runs commands one after the other. A context manager: leaving it ends what still runs."""

    def __init__(self) -> None:
        try:
            # Hidden, so that it isn't a change where somebody works in the folder for temporary files.
            self._folder = tempfile.TemporaryDirectory(prefix=".poolwise-")
            self.folder = folder = Path(self._folder.name)
            self.stdout_path = folder / "stdout"
            self.stderr_path = folder / "stderr"
            self._complaint_path = folder / "launcher"
            compiled = str(folder / "launcher.pyc")
            py_compile.compile(launcher.__file__, cfile=compiled, doraise=True, optimize=2)
            # A session of its own: a Ctrl-C on the terminal reaches the engine alone, which decides.
            with self._complaint_path.open("wb") as complaint:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", compiled, folder],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=complaint,
                    start_new_session=True,
                )
        except OSError as error:
            raise LauncherError(f"programs cannot be run: {error}") from None
        assert self._process.stdin
        assert self._process.stdout
        self._requests, self._answers = self._process.stdin, self._process.stdout
        self.pid = self._process.pid
        self._program: int | None = None
        self._error = ""
        self._limit_s: float | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, command: Command, sampler: Observer | None = None) -> Outcome:
        """Run the command to its end; what a sampler of memory saw is in ``Outcome.memory``.

        Whatever interrupts it (Ctrl-C) first kills the running tree and closes the launcher.
        """
        try:
            with sampler.watch(self.pid) if sampler else nullcontext():
                self.start(command)
                outcome = self.finish()
        except BaseException:
            self.close()
            raise
        # What cannot be started is a copy of the launcher for a moment, which may be seen.
        if isinstance(sampler, Sampler) and not outcome.error:
            return replace(outcome, memory=sampler.trace)
        return outcome

    def start(self, command: Command) -> int | None:
        """Start the command and return its pid; ``None`` if it failed, as ``finish`` reports."""
        self._error = ""
        self._limit_s = None
        if command.timeout_s is not None:
            self._limit_s = command.timeout_s + command.grace_s + STOPPED_S
        request = {
            "argv": command.argv,
            "env": dict(command.env),
            "cwd": str(command.cwd),
            "cores": command.cores,
            "timeout_s": command.timeout_s,
            "grace_s": command.grace_s,
            "stdout": str(self.stdout_path),
            "stderr": str(self.stdout_path if command.merged else self.stderr_path),
        }
        try:
            self._requests.write(marshal.dumps(request))
            self._requests.flush()
        except (OSError, ValueError):
            raise self._died() from None
        started = self._receive(STARTING_LIMIT_S)
        self._error = started.get("error", "")
        self._program = started.get("pid")
        return self._program

    def finish(self) -> Outcome:
        """Wait until nothing is left of the command that ``start`` started."""
        if self._error:
            self._take_output()
            return Outcome(error=self._error)
        report = self._receive(self._limit_s)
        self._program = None
        stdout, stderr = self._take_output()
        code = report["exit_code"]
        if code < 0:
            report |= {"exit_code": None, "signal": _SIGNALS.get(-code, f"signal {-code}")}
        return Outcome(stdout=stdout, stderr=stderr, **report)

    def _take_output(self) -> list[str]:
        """Take what the program wrote. Where the next one's cannot be kept, it is no failure of its own."""
        paths = (self.stdout_path, self.stderr_path)
        try:
            texts = [read_file(path) if path.exists() else "" for path in paths]
            for path in paths:
                with path.open("wb") as file:
                    file.write(bytes(OUTPUT_LIMIT_BYTES))
                    file.truncate(0)
        except OSError as error:
            raise LauncherError(f"what programs write cannot be kept: {error}") from None
        return texts

    def close(self) -> None:
        """End what still runs, then the launcher itself. Safe to call again."""
        with suppress(OSError):
            self._requests.close()
        self._process.send_signal(signal.SIGCONT)
        try:
            self._process.wait(CLOSING_LIMIT_S)
        finally:
            self._process.kill()
            self._answers.close()
            self._folder.cleanup()

    def _receive(self, limit_s: float | None) -> dict[str, Any]:
        """Wait for an answer of the launcher.

        A program that stops the launcher, which times it, has taken all the time that it had.
        """
        pipe = self._answers.fileno()
        is_late = not select.select([pipe], [], [], limit_s)[0]
        if is_late:
            self._process.send_signal(signal.SIGCONT)
            if not select.select([pipe], [], [], CLOSING_LIMIT_S)[0]:
                self._process.kill()
        try:
            length = int.from_bytes(_read(pipe, launcher.LENGTH_BYTES), "big")
            message: dict[str, Any] = marshal.loads(_read(pipe, length))
        except (EOFError, ValueError):
            raise self._died() from None
        if is_late:
            message["timed_out"] = True
        return message

    def _died(self) -> LauncherError:
        """The error to raise. A program that has lost its launcher is killed, as far as known."""
        if self._program is not None:
            with suppress(OSError):
                os.killpg(self._program, signal.SIGKILL)
        try:
            complaint = read_file(self._complaint_path).strip() or "without a word"
        except OSError as error:
            complaint = str(error)
        return LauncherError(f"the launcher is gone: {complaint}")


@contextmanager
def listen(within: Path | None = None) -> Iterator[Ear]:
    """An ear with a folder of its own for as long as the program runs, by default a temporary one."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="lag-", dir=within)
    except OSError as error:
        raise LauncherError(f"programs cannot be run: {error}") from None
    with folder as name:
        yield Ear(Path(name))


def _read(pipe: int, count: int) -> bytes:
    """So many bytes, fewer at the end: a buffer of its own would hide from ``select`` what has come."""
    data = b""
    while len(data) < count and (part := os.read(pipe, count - len(data))):
        data += part
    return data
