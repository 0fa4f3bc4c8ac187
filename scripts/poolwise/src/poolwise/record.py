"""Records: what the trials of one variant gave, with everything needed to interpret it.

A variant is one program under one set of conditions, a trial one run of it. A ``Record`` is a row of
a results file as it stands there, in columns; ``Record.timed`` and its like show it trial by trial.

A session is the runs of the engine on one boot of one machine, each begun soon after the last one's
end. What a machine gives differs from day to day by more than the trials of one day show, so each
trial has the name of its session, and only trials of one session are compared.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from math import inf
from statistics import median
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
import psutil
from msgspec import Meta, structs

from poolwise import metrics
from poolwise.declaration import Count, Reason
from poolwise.experiment import ProfileName, StartMethod
from poolwise.machine import SYSTEM_ROOT, Bytes, Cores, Line, Machine, Name, read_fact
from poolwise.pythons import Interpreter

# Control characters that no text may hold: all but the end of a line and the tabulator.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# Characters that are kept of what a program printed, and of its last lines of stderr.
LONGEST_TEXT = 1 << 17
# Share of its cores that the hypervisor and other programs take from a disturbed trial, at least:
# work that computes on all of them takes longer by about as much.
DISTURBED_SHARE = 0.125
FEWEST_CORES = 2  # cores that the share is of at least: a single one is hardly ever so free
# CPU seconds taken from a disturbed trial, at least: a system counts in ticks of 10 ms a core.
DISTURBED_S = 0.05
COMPUTING_SHARE = 0.5  # the share of a core from which on a program computes rather than waits
# Session of a trial outside any run of the engine; it sorts before those that have a date.
UNKNOWN_SESSION = "0000-unknown"
MOST_SESSIONS = 3  # sessions of a variant that are kept: the last ones
# Disturbed trials of a variant that are repeated in a session: where there are more, others stay.
MOST_REPEATS = 2
MOST_RECORDS = 50_000
# Trials of one pass of a record. Three sessions of 16 trials, the most that open comparisons get,
# with the disturbed ones, are fewer; ratios are formed of all pairs of two records, so more would
# fill the memory.
MOST_TRIALS = 200
LARGEST_READING = 1e15  # largest number that a program may print next to its time

Status = Literal["ok", "failed", "timeout", "unavailable"]
Seconds = Annotated[float, Meta(ge=0, le=metrics.LONGEST_RUN_S)]
# Seconds since the start of the program; of its process tree: bytes of PSS, and the CPU seconds
# used so far, `None` where the tracer does not count them.
TracePoint = tuple[Seconds, Bytes, Seconds | None]
Amount = Annotated[float, Meta(ge=0, le=LARGEST_READING)]
Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Param = Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$(?!\n)", max_length=100)]
Reading = Annotated[str, Meta(pattern=r"^[a-z_][a-z0-9_]*$(?!\n)", max_length=100)]
Fingerprint = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$(?!\n)")]
Item = TypeVar("Item")
Column = Annotated[list[Item], Meta(max_length=MOST_TRIALS)]  # an item per trial
# A name that `name_session` gives, or `UNKNOWN_SESSION`.
Session = Annotated[str, Meta(pattern=r"^(0000-unknown|\d{8}T\d{9}Z-[0-9a-f]{6})$(?!\n)")]
Sessions = Annotated[tuple[Session, ...], Meta(max_length=MOST_TRIALS)]
TIMED = [metric.name for metric in metrics.list_recorded(traced=False)]
TRACED = [metric.name for metric in metrics.list_recorded(traced=True)]


def _limit(name: str) -> Meta:
    metric = metrics.METRICS[name]
    number = int if metric.unit in ("bytes", "times") else float
    return Meta(ge=number(metric.least), le=number(metric.most), description=metric.about)


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """One cell to fill. Its fields are the coordinates of a row in the published data."""

    experiment: Name
    program: Name
    family: Name
    machine: Name
    interpreter: Name
    gil: Literal["on", "off"]
    start_method: StartMethod | None
    cores: Cores
    workers: Count
    tasks: Count
    params: Annotated[dict[Param, Line], Meta(max_length=100)]

    def __hash__(self) -> int:
        cell = (self.experiment, self.program, self.family, self.machine, self.interpreter)
        return hash((*cell, self.start_method, self.cores, self.workers, self.tasks))

    def __str__(self) -> str:
        """The name of the cell in a sentence: ``json/02-threads (8 tasks, 2 cores)``."""
        return f"{self.experiment}/{self.program} ({self.tasks} tasks, {self.cores} cores)"


def is_busy(taken: float, cores: int) -> bool:
    """Tell whether others take so many of these ``cores`` that a trial on all of them is disturbed."""
    return taken > DISTURBED_SHARE * max(cores, FEWEST_CORES)


# The columns that say what was measured; the rest say what came of it.
CELL = Variant.__struct_fields__


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One run of one program in a fresh interpreter process.

    ``values`` are the metrics of its pass, ``readings`` what else the program printed of the
    declared readings, ``printed`` all the rest. ``trace`` is of a memory pass only. ``session`` is
    the name of that in which it ran.
    """

    status: Status
    session: str = UNKNOWN_SESSION
    reason: Reason | None = None
    values: metrics.Values = field(default_factory=dict)
    readings: Mapping[str, float] = field(default_factory=dict)
    printed: str = ""
    trace: tuple[TracePoint, ...] = ()
    stderr: str = ""

    @property
    def wall_s(self) -> float:
        """Seconds that a person waits; zero if the program could not be started."""
        return self.values.get("wall_s") or 0.0

    @property
    def lasted_s(self) -> float:
        """How long it ran, in a memory pass as far as it was watched."""
        return self.wall_s or max((seconds for seconds, _, _ in self.trace), default=0.0)

    def is_disturbed(self, cores: int) -> bool:
        """Tell whether others took too much of its ``cores`` meanwhile, as far as it tells."""
        taken = sum(self.taken)
        return is_busy(taken, cores) and taken * self.wall_s > DISTURBED_S

    @property
    def taken(self) -> list[float]:
        """The cores that the hypervisor and other programs took, as far as the system says."""
        shares = (self.values.get(name) for name in ("stolen_share", "others_share"))
        return [share for share in shares if share is not None]

    def read(self, name: str) -> float | None:
        """Read a metric or a reading; ``None`` if this trial did not give it."""
        if name in self.readings:
            return self.readings[name]
        return metrics.read_value(name, self.values)


class Record(
    Variant, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, dict=True
):
    """The trials of one variant so far, a row of a results file.

    Lists have an item per trial, in the order of the trials: those that are timed, those that are
    traced for their memory, and timed ones that did their work while others were busy and were
    repeated (``disturbed``). A trial that did not do its work ends the variant: ``status``,
    ``reason`` and the last lines of ``stderr`` are that trial's. ``printed`` is what the program wrote,
    without time and readings, in the shortest timed trial, the one disturbed least. ``fingerprint``
    says what the record is valid for, ``seed`` is that of the shuffled rounds, ``packages`` has the
    pins of what the program imports. ``digest`` is of everything else in the row, as a file has it; rows of
    older files have none. The columns of metrics are those that ``METRICS`` records.
    """

    status: Status
    reason: Reason | None = None
    readings: Annotated[dict[Reading, Column[Amount]], Meta(max_length=100)]
    printed: Text
    traces: Column[Annotated[list[TracePoint], Meta(max_length=1000)]]
    stderr: Text
    profile: ProfileName
    fingerprint: Fingerprint
    seed: Annotated[int, Meta(ge=0, lt=1 << 53)]
    digest: Fingerprint = ""
    packages: Annotated[dict[Name, Line], Meta(max_length=100)] = {}
    disturbed_values: Column[dict[Reading, Amount | None]] = msgspec.field(
        default_factory=list, name="disturbed"
    )
    timed_sessions: Sessions = msgspec.field(default=(), name="session")
    traced_sessions: Sessions = msgspec.field(default=(), name="traced_session")
    disturbed_sessions: Sessions = msgspec.field(default=(), name="disturbed_session")
    measured_at: Annotated[datetime, Meta(tz=True)]
    # A column is missing where the record is older than its metric.
    wall_s: Column[Annotated[float, _limit("wall_s")]]
    inside_s: Column[Annotated[float, _limit("inside_s")] | None] | None = None
    user_s: Column[Annotated[float, _limit("user_s")]] | None = None
    system_s: Column[Annotated[float, _limit("system_s")]] | None = None
    max_rss_bytes: Column[Annotated[int, _limit("max_rss_bytes")]] | None = None
    server_share: Column[Annotated[float, _limit("server_share")] | None] | None = None
    stolen_share: Column[Annotated[float, _limit("stolen_share")] | None] | None = None
    others_share: Column[Annotated[float, _limit("others_share")] | None] | None = None
    slowed_share: Column[Annotated[float, _limit("slowed_share")] | None] | None = None
    peak_pss_bytes: Column[Annotated[int, _limit("peak_pss_bytes")] | None]
    lag_p50_s: Column[Annotated[float, _limit("lag_p50_s")] | None] | None = None
    lag_p99_s: Column[Annotated[float, _limit("lag_p99_s")] | None] | None = None
    lag_max_s: Column[Annotated[float, _limit("lag_max_s")] | None] | None = None

    @cached_property
    def variant(self) -> Variant:
        """The cell that the record fills."""
        return Variant(**{name: getattr(self, name) for name in CELL})

    @cached_property
    def timed(self) -> tuple[Trial, ...]:
        """The timed trials that did their work."""
        columns = list_columns(self, TIMED)
        return tuple(
            Trial(
                status="ok",
                session=session,
                values=_take(columns, place),
                readings=_take(self.readings, place),
            )
            for place, session in enumerate(self.timed_sessions)
        )

    @cached_property
    def traced(self) -> tuple[Trial, ...]:
        """The trials of the memory pass that did their work."""
        columns = list_columns(self, TRACED)
        passes = enumerate(zip(self.traced_sessions, self.traces, strict=True))
        return tuple(
            Trial(status="ok", session=name, values=_take(columns, place), trace=tuple(trace))
            for place, (name, trace) in passes
        )

    @cached_property
    def disturbed(self) -> tuple[Trial, ...]:
        """The timed trials that do not count, as others were busy."""
        trials = zip(self.disturbed_values, self.disturbed_sessions, strict=True)
        return tuple(Trial(status="ok", session=name, values=values) for values, name in trials)

    @property
    def is_begun(self) -> bool:
        """Tell whether anything was tried, or cannot be."""
        return self.status != "ok" or bool(self.wall_s or self.traces or self.disturbed_values)

    @property
    def is_measured(self) -> bool:
        """Tell whether there is something to estimate: it is ``ok`` and has timed trials."""
        return self.status == "ok" and bool(self.wall_s)

    @property
    def may_change(self) -> bool:
        """Tell whether it might come out otherwise if it was tried again."""
        offline = self.reason is not None and self.reason.code == "not-fetched"
        return self.status in ("failed", "timeout") or offline

    @cached_property
    def sessions(self) -> tuple[str, ...]:
        """The names of the sessions of its trials, the oldest first."""
        every = {*self.timed_sessions, *self.traced_sessions, *self.disturbed_sessions}
        return tuple(sorted(every))

    @property
    def session(self) -> str:
        """The last session; empty if there are no trials."""
        return max(self.sessions, default="")

    @cached_property
    def computes(self) -> bool:
        """Tell whether it computes for most of its work, or of its whole time if that is unknown."""
        for cpu_s, time_s in (("work_cpu_s", "inside_s"), ("cpu_s", "wall_s")):
            cpu, time = self.list_values(cpu_s), self.list_values(time_s)
            if cpu and time:
                return median(cpu) > COMPUTING_SHARE * median(time)
        return False

    @property
    def disturbances(self) -> list[bool]:
        """Whether others took too much of its cores, for each timed trial of which the system says so.

        Also of those that do not count.
        """
        trials = (*self.timed, *self.disturbed)
        return [trial.is_disturbed(self.cores) for trial in trials if trial.taken]

    @cached_property
    def taken(self) -> tuple[float, float]:
        """How many cores other programs and the hypervisor took, each in the median of its timed trials."""
        others, stolen = map(self.list_values, ("others_share", "stolen_share"))
        return median(others or [0.0]), median(stolen or [0.0])

    @cached_property
    def is_disturbed(self) -> bool:
        """Tell whether most timed trials were taken while others were busy."""
        return 2 * sum(trial.is_disturbed(self.cores) for trial in self.timed) > len(self.timed)

    def read_column(self, name: str) -> Sequence[float | None]:
        """The values of a metric, derived if need be; none where the record is older than it."""
        if name == "tasks":
            return [self.tasks] * len(self.wall_s)
        metric = metrics.METRICS[name]
        if metric.derive is None:
            return getattr(self, name) or ()
        derive = metric.derive
        trials = zip(*map(self.read_column, metric.of), strict=False)
        return [None if None in parts else derive(*parts) for parts in trials]

    def list_values(self, name: str) -> list[float]:
        """The values of a metric or a reading, of each trial that gave it."""
        values: Sequence[float | None] = self.readings.get(name, ())
        if not values and name in metrics.METRICS:
            values = self.read_column(name)
        return [value for value in values if value is not None]

    def within(self, *sessions: str) -> "Record":
        """The record with the trials of these sessions alone."""
        if set(self.sessions) <= {*sessions}:
            return self
        return self.with_trials(
            timed=[trial for trial in self.timed if trial.session in sessions],
            traced=[trial for trial in self.traced if trial.session in sessions],
            disturbed=[trial for trial in self.disturbed if trial.session in sessions],
        )

    def with_trials(
        self,
        *,
        timed: Sequence[Trial] | None = None,
        traced: Sequence[Trial] | None = None,
        disturbed: Sequence[Trial] | None = None,
    ) -> "Record":
        """The record with other trials of the passes that are given."""
        changes: dict[str, Any] = {}
        if timed is not None:
            changes |= {name: _make_column(metrics.METRICS[name], timed) for name in TIMED}
            # Of the readings those that every trial printed.
            readings = changes["readings"] = {}
            for name in sorted(timed[0].readings if timed else ()):
                if all(name in trial.readings for trial in timed):
                    readings[name] = [trial.readings[name] for trial in timed]
            changes["timed_sessions"] = tuple(trial.session for trial in timed)
        if traced is not None:
            changes |= {name: _make_column(metrics.METRICS[name], traced) for name in TRACED}
            changes["traces"] = [list(trial.trace) for trial in traced]
            changes["traced_sessions"] = tuple(trial.session for trial in traced)
        if disturbed is not None:
            changes["disturbed_values"] = list(map(_read_again, disturbed))
            changes["disturbed_sessions"] = tuple(trial.session for trial in disturbed)
        return structs.replace(self, **changes)


# Each column of metrics with the type that it has where it is not missing.
COLUMNS: list[tuple[str, Any]] = [
    (column.name, column.type if column.required else get_args(column.type)[0])
    for column in structs.fields(Record)
    if column.name in metrics.METRICS
]


class Results(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that one interpreter gave on one machine: ``results/<machine>/<interpreter>.json``.

    The JSON Schema of a results file is made from this.
    """

    schema: Literal[2] = 2
    machine: Machine
    interpreter: Interpreter
    records: Annotated[tuple[Record, ...], Meta(max_length=MOST_RECORDS)] = msgspec.field(
        name="rows"
    )


def add_trial(
    record: Record,
    trial: Trial,
    *,
    traced: bool,
    now: datetime,
    repeats: int = 0,
    is_slowed: bool = False,
) -> Record:
    """The record with one more trial, or ended by it if the trial did not do its work.

    A timed trial that was disturbed, or slowed far beyond the usual, does not count, unless ``repeats``
    of its session already do not: then it is taken as it is. Of sessions the last ``MOST_SESSIONS`` stay.
    """
    if trial.status != "ok":
        ended = {"status": trial.status, "reason": trial.reason, "stderr": trial.stderr}
        return structs.replace(record, **ended, measured_at=now)
    kept = sorted({*record.sessions, trial.session})[-MOST_SESSIONS:]
    record = structs.replace(record.within(*kept), measured_at=now)
    is_disturbed = not traced and (is_slowed or trial.is_disturbed(record.cores))
    if is_disturbed and record.disturbed_sessions.count(trial.session) < repeats:
        return record.with_trials(disturbed=(*record.disturbed, trial))
    shortest_s = min(map(_find_length, record.timed), default=inf)
    if shortest_s == inf or (not traced and _find_length(trial) < shortest_s):
        record = structs.replace(record, printed=trial.printed)
    if traced:
        return record.with_trials(traced=(*record.traced, trial))
    return record.with_trials(timed=(*record.timed, trial))


def _find_length(trial: Trial) -> float:
    inside_s = trial.read("inside_s")
    if inside_s is None:
        return trial.wall_s
    return inside_s


def list_columns(record: Record, names: Iterable[str]) -> dict[str, list[float | None]]:
    """The columns of these metrics that a record has."""
    columns = {name: getattr(record, name) for name in names}
    return {name: values for name, values in columns.items() if values is not None}


def _read_again(trial: Trial) -> dict[str, float | None]:
    """Give the values as they are read: a whole number of bytes would be written in another form."""
    return {name: None if value is None else float(value) for name, value in trial.values.items()}


def _take(columns: Mapping[str, Sequence[Item]], place: int) -> dict[str, Item]:
    return {name: values[place] for name, values in columns.items()}


def _make_column(metric: metrics.Metric, trials: Sequence[Trial]) -> list[float | None] | None:
    """A column of the trials; ``None`` where they are older than the metric."""
    values = [trial.values.get(metric.name) for trial in trials]
    if metric.name in metrics.COUNTED:
        return values
    is_known = any(metric.name in trial.values for trial in trials)
    if is_known and (metric.optional or None not in values):
        return values
    return None


# Between the end of a run and the begin of the next one of its session.
LONGEST_PAUSE = timedelta(hours=1)


def read_boot() -> str:
    """A digest of what the system calls its present boot, the same until the next."""
    boot = read_fact(SYSTEM_ROOT / "proc/sys/kernel/random/boot_id") or str(int(psutil.boot_time()))
    return hashlib.sha256(boot.encode()).hexdigest()[:6]


def name_session(began_at: datetime, boot: str) -> str:
    """The name of a session: ``20261123T140509123Z-3fa2c1``. Names sort by their dates."""
    utc = began_at.astimezone(UTC)
    return f"{utc:%Y%m%dT%H%M%S}{utc.microsecond // 1000:03}Z-{boot}"


def choose_session(records: Iterable[Record], now: datetime, boot: str) -> str:
    """The session of a run that begins now, of all of the machine's: the last if it goes on, or a new one."""
    last = max(
        (record for record in records if record.session),
        key=lambda record: record.measured_at,
        default=None,
    )
    if last and last.session.endswith(f"-{boot}") and now - last.measured_at <= LONGEST_PAUSE:
        return last.session
    return name_session(now, boot)
