"""Lag: how late the event loops of a program ran, as the heartbeat in its processes noted it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.measure.process import LauncherError

HEARTBEAT = Path(__file__).parent / "heartbeat"


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
        for path in sorted(self.folder.iterdir()):
            with suppress(ValueError):
                heard.append(tuple(map(float, path.read_text(encoding="ascii").split())))
        return tuple(filter(None, heard))


@contextmanager
def listen() -> Iterator[Ear]:
    """An ear with a folder of its own for as long as the program runs.

    Raises:
        LauncherError: there can be no such folder.
    """
    try:
        folder = TemporaryDirectory(prefix="lag-")
    except OSError as error:
        raise LauncherError(f"programs cannot be run: {error}") from None
    with folder as name:
        yield Ear(Path(name))
