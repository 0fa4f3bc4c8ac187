"""Saving: how often records are written while programs are measured."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from poolwise.record import Record
from poolwise.store import Store

SAVE_EVERY_S = 2.0  # seconds between two saves at least
# Share of the time that saving may take: a file of megabytes is saved less often.
SAVE_SHARE = 1 / 50
# Notes how far a run is: its present experiment, the trials kept so far and those planned.
Note = Callable[[str, int, int], None]


@dataclass
class Saver:
    """Saves a store while its programs run: after the first trial, then as often as saving is cheap.

    ``planned`` is the number of trials to come; ``note`` is called with each save.
    """

    store: Store
    planned: int
    note: Note | None = None
    _kept: int = field(default=0, init=False)
    _experiment: str = field(default="", init=False)
    _due_s: float = field(default=0.0, init=False)

    def keep(self, record: Record) -> None:
        """Keep a record with one more trial, and save if enough time has passed since the last save."""
        self.store.put(record)
        self._kept += 1
        self._experiment = record.experiment
        if monotonic() >= self._due_s:
            self.save()

    def save(self) -> None:
        """Save, and note how far the run is."""
        began_s = monotonic()
        self.store.save()
        self.note_progress()
        ended_s = monotonic()
        self._due_s = ended_s + max(SAVE_EVERY_S, (ended_s - began_s) / SAVE_SHARE)

    def note_progress(self) -> None:
        """Note how far the run is."""
        if self.note:
            self.note(self._experiment, self._kept, self.planned)
