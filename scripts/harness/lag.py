"""Lag: how late the event loops of a program ran, as the heartbeat in its processes noted it.

And when their tasks ran, if that was to be marked.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from scripts.harness.process import LauncherError

HEARTBEAT = Path(__file__).parent / "heartbeat"
MARKS = {"TASK_MARKS": "1"}
"""The variable that has tasks marked; see the heartbeat."""
_STEP = re.compile(r"^(\d{1,9}) (\d{1,18}) (\d{1,18}) (.*)$", re.MULTILINE)


class Step(NamedTuple):
    """A task ran once: in which process and thread, its number there, its function and when.

    Times are microseconds of the clock ``time.perf_counter``.
    """

    pid: int
    thread: int
    task: int
    function: str
    begin_us: int
    end_us: int


@dataclass(frozen=True, slots=True)
class Ear:
    """Hears the heartbeats of one run of a program that is started with ``env``."""

    folder: Path

    @property
    def env(self) -> dict[str, str]:
        """The variables that make processes beat, and tell them where to note it."""
        return {"PYTHONPATH": str(HEARTBEAT), "LOOP_LAG_FOLDER": str(self.folder)}

    def hear(self) -> tuple[tuple[float, ...], ...]:
        """By how many seconds each beat was late, for each thread in which loops ran.

        What a process that was killed had not written to its end is left out.
        """
        heard = []
        for path in sorted(one for one in self.folder.iterdir() if not one.suffix):
            with suppress(ValueError):
                heard.append(tuple(map(float, path.read_text(encoding="ascii").split())))
        return tuple(filter(None, heard))

    def read_steps(self) -> Iterator[Step]:
        """When each task ran, in the order of processes and threads; what is no step is left out."""
        for path in sorted(self.folder.glob("*.tasks")):
            pid, _, thread = path.stem.partition("-")
            for found in _STEP.finditer(path.read_text(encoding="utf-8", errors="replace")):
                task, begin_us, end_us = map(int, found.groups()[:3])
                yield Step(int(pid), int(thread), task, found[4], begin_us, end_us)


@contextmanager
def listen(within: Path | None = None) -> Iterator[Ear]:
    """An ear with a folder of its own for as long as the program runs, by default a temporary one.

    Raises:
        LauncherError: there can be no such folder.
    """
    try:
        folder = TemporaryDirectory(prefix="lag-", dir=within)
    except OSError as error:
        raise LauncherError(f"programs cannot be run: {error}") from None
    with folder as name:
        yield Ear(Path(name))
