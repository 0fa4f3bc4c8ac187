"""Records: what the trials of one variant gave, with everything needed to interpret it.

A variant is one program under one set of conditions, a trial one run of it.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

import psutil

from scripts.harness.declaration import Reason
from scripts.harness.machine import ROOT, read_text
from scripts.harness.metrics import METRICS, Values, read_value

Status = Literal["ok", "failed", "timeout", "unavailable"]
TracePoint = tuple[float, int, float | None]
"""Seconds since the start of the program; of its process tree: bytes of PSS, and the CPU seconds
used so far, ``None`` where the tracer does not count them."""

CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What no text may hold: control characters, but for the end of a line and the tabulator."""
LONGEST_TEXT = 1 << 17
"""Characters that are kept of what a program printed, and of its last lines of stderr."""
DISTURBED_SHARE = 0.125
"""A timed trial is disturbed if the hypervisor and other programs took more than that of its cores
meanwhile: what computes on all of them would take longer by about as much."""
FEWEST_CORES = 2
"""On fewer cores than these it has to be as much as of these: a single one is hardly ever so free."""
DISTURBED_S = 0.05
"""But not by less CPU time than this: a system counts it in ticks of 10 ms a core."""
UNKNOWN_SESSION = "0000-unknown"
"""Of a trial that is part of no run of the engine; it sorts before those that have a date."""
MOST_SESSIONS = 3
"""So many sessions of a variant are kept, the last ones."""
LARGEST_READING = 1e15
"""No number that a program prints beside its time is larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One cell to fill. Its fields are the coordinates of a row in the published data."""

    experiment: str
    program: str
    family: str
    machine: str
    interpreter: str
    gil: Literal["on", "off"]
    start_method: str | None
    cores: int
    workers: int
    tasks: int
    params: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What one run of one program in a fresh interpreter process gave.

    ``values`` are the metrics of its pass, ``readings`` what else the program printed of the
    declared readings, ``printed`` all the rest. ``trace`` is of a memory pass only. ``session`` is
    the name of that in which it ran.
    """

    status: Status
    session: str = UNKNOWN_SESSION
    reason: Reason | None = None
    values: Values = field(default_factory=dict)
    readings: Mapping[str, float] = field(default_factory=dict)
    printed: str = ""
    trace: tuple[TracePoint, ...] = ()
    stderr: str = ""

    @property
    def wall_s(self) -> float:
        """What a person waits for; nought if the program could not be started."""
        return self.values.get("wall_s") or 0.0

    @property
    def lasted_s(self) -> float:
        """How long it ran, in a memory pass as far as it was watched."""
        return self.wall_s or (self.trace[-1][0] if self.trace else 0.0)

    def is_disturbed(self, cores: int) -> bool:
        """Whether others took too much of its ``cores`` meanwhile, as far as it tells."""
        shares = (self.values.get("stolen_share"), self.values.get("others_share"))
        taken = sum(share or 0.0 for share in shares)
        most = DISTURBED_SHARE * max(cores, FEWEST_CORES)
        return taken > most and taken * self.wall_s > DISTURBED_S

    def read(self, name: str) -> float | None:
        """A metric or a reading; ``None`` if this trial did not give it."""
        return self.readings[name] if name in self.readings else read_value(name, self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The trials of one variant so far. Timed trials give times; traced trials give memory.

    ``timed`` and ``traced`` hold the trials that did their work. One that did not ends the
    variant: its ``status``, ``reason`` and last lines of ``stderr`` are the record's.
    ``printed`` is what the program wrote, without time and readings, in the timed trial that other
    programs disturbed least: the shortest. ``fingerprint`` says what the record is valid for.
    ``disturbed`` holds timed trials that did theirs while others were busy, and were repeated.
    ``seed`` is that of the shuffled rounds, ``packages`` the pins of what the program imports.
    """

    variant: Variant
    profile: str
    fingerprint: str
    seed: int
    packages: Mapping[str, str] = field(default_factory=dict)
    status: Status = "ok"
    reason: Reason | None = None
    stderr: str = ""
    printed: str = ""
    timed: tuple[Trial, ...] = ()
    traced: tuple[Trial, ...] = ()
    disturbed: tuple[Trial, ...] = ()
    measured_at: datetime

    @property
    def is_begun(self) -> bool:
        """Whether anything was tried, or cannot be."""
        return self.status != "ok" or bool(self.timed or self.traced or self.disturbed)

    @property
    def is_measured(self) -> bool:
        """Whether there is something to estimate: it is ``ok`` and has timed trials."""
        return self.status == "ok" and bool(self.timed)

    @property
    def may_change(self) -> bool:
        """Whether it might come out otherwise if it was tried again."""
        offline = self.reason is not None and self.reason.code == "not-fetched"
        return self.status in ("failed", "timeout") or offline

    @property
    def trials(self) -> tuple[Trial, ...]:
        """All that did their work, those too that do not count."""
        return (*self.timed, *self.traced, *self.disturbed)

    @property
    def sessions(self) -> tuple[str, ...]:
        """The names of the sessions of its trials, the oldest first."""
        return tuple(sorted({trial.session for trial in self.trials}))

    @property
    def session(self) -> str:
        """The last session; empty if there are no trials."""
        return max((trial.session for trial in self.trials), default="")

    @property
    def is_disturbed(self) -> bool:
        """Whether most timed trials were taken while others were busy: they decide nothing."""
        cores = self.variant.cores
        return 2 * sum(trial.is_disturbed(cores) for trial in self.timed) > len(self.timed)

    def within(self, *sessions: str) -> "Record":
        """The record with the trials of these sessions alone."""
        if set(self.sessions) <= {*sessions}:
            return self
        timed, traced, disturbed = (
            tuple(trial for trial in trials if trial.session in sessions)
            for trials in (self.timed, self.traced, self.disturbed)
        )
        return replace(self, timed=timed, traced=traced, disturbed=disturbed)

    @property
    def walls_s(self) -> list[float]:
        """How long the timed trials took, as a person waits."""
        return [trial.wall_s for trial in self.timed]

    def list_values(self, name: str) -> list[float]:
        """A metric or a reading, a value per trial that gave it."""
        is_traced = name in METRICS and METRICS[name].traced
        values = (trial.read(name) for trial in (self.traced if is_traced else self.timed))
        return [value for value in values if value is not None]


def add_trial(
    record: Record, trial: Trial, *, traced: bool, now: datetime, repeats: int = 0
) -> Record:
    """The record with one more trial, or ended by it if the trial did not do its work.

    A timed trial that was disturbed does not count, unless ``repeats`` of its session already do
    not: then it is taken as it is. Of sessions the last ``MOST_SESSIONS`` stay.
    """
    if trial.status != "ok":
        return replace(
            record,
            status=trial.status,
            reason=trial.reason,
            stderr=trial.stderr,
            measured_at=now,
        )
    kept = sorted({*record.sessions, trial.session})[-MOST_SESSIONS:]
    record = replace(record.within(*kept), measured_at=now)
    own = record.within(trial.session)
    is_disturbed = not traced and trial.is_disturbed(record.variant.cores)
    if is_disturbed and len(own.disturbed) < repeats:
        return replace(record, disturbed=(*record.disturbed, trial))
    if not record.timed or (
        not traced and _find_length(trial) < min(map(_find_length, record.timed))
    ):
        record = replace(record, printed=trial.printed)
    if traced:
        return replace(record, traced=(*record.traced, trial))
    return replace(record, timed=(*record.timed, trial))


def _find_length(trial: Trial) -> float:
    inside_s = trial.read("inside_s")
    return trial.wall_s if inside_s is None else inside_s


LONGEST_PAUSE = timedelta(hours=1)
"""Between the end of a run and the begin of the next one of its session."""
_UNKNOWN = UNKNOWN_SESSION.partition("-")[0]
_NAME = re.compile(r"(\d{8}T\d{9})Z-[0-9a-f]{6}")


def read_boot() -> str:
    """A digest of what the system calls its present boot, the same until the next."""
    boot = read_text(ROOT / "proc/sys/kernel/random/boot_id") or str(int(psutil.boot_time()))
    return hashlib.sha256(boot.encode()).hexdigest()[:6]


def name_session(began_at: datetime, boot: str) -> str:
    """The name of a session: ``20261123T140509123Z-3fa2c1``. Names sort by their dates."""
    utc = began_at.astimezone(UTC)
    return f"{utc:%Y%m%dT%H%M%S}{utc.microsecond // 1000:03}Z-{boot}"


def name_unknown(interpreter: str) -> str:
    """The name of the one session of a results file that tells of none: its date is unknown."""
    return f"{_UNKNOWN}-{interpreter}"


def read_began(session: str) -> datetime | None:
    """When a session began; ``None`` if its date is unknown.

    Raises:
        ValueError: this is the name of no session.
    """
    if session.startswith(f"{_UNKNOWN}-"):
        return None
    found = _NAME.fullmatch(session)
    if not found:
        raise ValueError(f"{session!a} is no name of a session")
    return datetime.strptime(found[1], "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC)


def choose_session(records: Iterable[Record], now: datetime, boot: str) -> str:
    """The session of a run that begins now: the last one if that goes on, else a new one.

    Args:
        records: all those of the machine.
        now: when the run begins.
        boot: what ``read_boot`` tells.
    """
    last = max(
        (record for record in records if record.session),
        key=lambda record: record.measured_at,
        default=None,
    )
    if last and last.session.endswith(f"-{boot}") and now - last.measured_at <= LONGEST_PAUSE:
        return last.session
    return name_session(now, boot)
