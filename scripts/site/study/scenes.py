"""Scenes as they run: who computes, waits for its turn or waits for something outside, and when.

A panel that declares tasks is played as a discrete-event simulation: each lane has a state until the next
moment at which one of them changes. Without chance, so that every build draws the same.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from operator import attrgetter
from typing import Literal, NamedTuple

from poolwise.declaration import MalformedDeclaration
from poolwise.watch import INTERVAL_S, WAITING, Lane, Span
from scripts.site.declare.scenes import Panel, Step, Task, Trace, TraceEvent, list_tasks
from scripts.site.study.timeline import Timeline

# It computes; holds what is shared while it waits; waits for its turn, for something outside, for a
# lock; sleeps for a reason that nobody recorded; has nothing to do.
_Worked = Literal["runs", "holds", "ready", "waits", "locked", "sleeps", "idle", "done"]
# It reads or writes a variable, or others make steps. A variable has a value. A lock is held or free.
_Stepped = Literal["reads", "writes", "paused", "value", "held", "free"]
State = _Worked | _Stepped
WITH_SLOT = ("run", "hold")  # the steps for which a lane needs what is shared
STATE_IN: Mapping[str, State] = {
    "run": "runs",
    "hold": "holds",
    "wait": "waits",
    "native": "runs",
    "block": "holds",
    "idle": "idle",
}
GRAINS = 120  # the parts of a recorded run, to which it is rounded
WATCHED_US = INTERVAL_S * 1e6
LEAST_SHARE = 0.2  # of what the busiest lane ran
# What an event of a trace is drawn as, if not as a run.
STATE_OF: Mapping[str, State] = {
    "ready": "ready",
    "waits": "locked",
    "reads": "reads",
    "writes": "writes",
}
STEP_US = 1000  # of a scene that counts steps
MOST_EVENTS = 4000  # a declaration that never ends is wrong


class Event(NamedTuple):
    """A lane in one state from ``begin_us`` to ``end_us``, and the task or the label that it is about.

    ``slot`` counts from 1 what it has of what is shared, and is 0 where it has none. In a trace an event has
    a ``kind``, too, and may have a ``value``.
    """

    lane: int
    begin_us: int
    end_us: int
    state: State
    what: str = ""
    slot: int = 0
    kind: str = ""
    value: str = ""


class Play(NamedTuple):
    """What happened in a panel: names of tasks by lane, events by their beginning, the queue's lengths.

    The last lanes are of ``things``, locks or variables, by their names.
    """

    names: list[str]
    events: list[Event]
    queue: list[tuple[int, int]]  # from when on so many tasks were in it
    things: Sequence[str] = ()

    @property
    def end_us(self) -> int:
        """When the last lane was done."""
        return max((event.end_us for event in self.events), default=0)


@dataclass(slots=True, eq=False)
class _Worker:
    lane: int
    steps: deque[Step] = field(default_factory=deque)
    task: str = ""
    step: Step = field(default=Step("idle"))
    state: State = "idle"
    since_us: int = 0  # when the state began, and then:
    what_then: str = ""
    slot_then: int = 0
    until_us: int | None = None  # the end of the step, if nothing comes between
    held_us: int = 0  # since when it has its slot
    slot: int = 0


class Simulation:
    """One panel, played from its beginning to where nothing can change any more."""

    def __init__(self, panel: Panel, prices_ms: Mapping[str, float]) -> None:
        self._panel = panel
        self._now_us = 0
        self._line: deque[_Worker] = deque()  # those that want a slot
        self._locks: dict[str, _Worker] = {}
        self._blocked: dict[str, deque[_Worker]] = {}
        self._results = 0  # that nobody has got yet
        self._getting: deque[_Worker] = deque()
        self._free = list(range(panel.slots, 0, -1))
        self._events: list[Event] = []
        self._lengths: list[tuple[int, int]] = []
        tasks = list_tasks(panel, prices_ms)
        putting = [task for task in tasks if task.puts]
        self._later = deque(task for task in tasks if task not in putting and putting)
        self._queue: deque[Task] = deque()
        first = putting if panel.workers else tasks
        self.names = [task.name for task in first]
        self._workers = [_Worker(lane) for lane in range(len(first) + panel.workers)]
        self.names.extend(repeat("", panel.workers))
        lanes = enumerate(panel.locks, len(self._workers))
        self._drawn_locks = {lock: _Worker(lane, state="free") for lane, lock in lanes}
        if panel.workers and not putting:
            self._queue.extend(tasks)
        self._note_queue()
        for worker, task in zip(self._workers, first, strict=False):
            worker.task, worker.steps = task.name, deque(task.steps)

    def play(self) -> Play:
        """Play it whole.

        Raises:
            MalformedDeclaration: it does not end, or goes on for too long.
        """
        for worker in self._workers:
            self._advance(worker)
        for _ in range(MOST_EVENTS):
            self._hand_out()
            self._note_queue()
            ends_us = [worker.until_us for worker in self._workers]
            moments = [end_us for end_us in ends_us if end_us is not None]
            if preempted := self._find_preempted():
                moments.append(self._find_turn_us(preempted))
            if not moments:
                self._finish()
                events = sorted(self._events, key=lambda event: (event.begin_us, event.lane))
                return Play(self.names, events, self._lengths, self._panel.locks)
            self._now_us = min(moments)
            for worker in self._workers:
                if worker.until_us == self._now_us:
                    worker.until_us = None
                    self._advance(worker)
            # A turn ends only if its holder has not just ended it itself.
            is_held = preempted is not None and preempted is self._find_preempted()
            if preempted and is_held and self._find_turn_us(preempted) <= self._now_us:
                self._preempt(preempted)
        raise MalformedDeclaration(
            f"a panel of a scene has more than {MOST_EVENTS} steps: {self._panel}"
        )

    def _advance(self, worker: _Worker) -> None:
        """Begin a worker's next step; those that take no time are done at once."""
        is_alone = False
        while worker.steps:
            step = worker.step = worker.steps.popleft()
            match step.verb:
                case "wait" if not step.amount_ms and not self._line:
                    is_alone = True  # it offers its turn, and nobody wants it
                case "run" | "hold" if not worker.slot:
                    self._stand_in_line(worker, step)
                    return
                case "take" if step.label in self._locks:
                    self._give_back(worker)
                    self._blocked.setdefault(step.label, deque()).append(worker)
                    self._enter(worker, "locked", step.label)
                    return
                case "take":
                    self._hand_lock(step.label, worker)
                case "free":
                    self._free_lock(step.label)
                case "put":
                    self._put_task()
                case "get" if not self._results:
                    self._give_back(worker)
                    self._getting.append(worker)
                    self._enter(worker, "waits", step.label)
                    return
                case "get":
                    self._results -= 1
                case verb:
                    if verb not in WITH_SLOT:
                        self._give_back(worker)
                    if not (is_alone and worker.state == STATE_IN[verb]):
                        self._enter(worker, STATE_IN[verb], step.label)
                    worker.until_us = self._now_us + round(step.amount_ms * 1000)
                    return
        self._give_back(worker)
        self._take_task(worker)

    def _stand_in_line(self, worker: _Worker, step: Step) -> None:
        """Let a worker wait for a slot, with a step still to do."""
        worker.steps.appendleft(step)
        self._line.append(worker)
        self._enter(worker, "ready")

    def _free_lock(self, lock: str) -> None:
        del self._locks[lock]
        if waiting := self._blocked.get(lock):
            self._hand_lock(lock, waiting.popleft())
            self._advance(self._locks[lock])
        elif drawn := self._drawn_locks.get(lock):
            self._enter(drawn, "free")

    def _hand_lock(self, lock: str, worker: _Worker) -> None:
        self._locks[lock] = worker
        if drawn := self._drawn_locks.get(lock):
            self._enter(drawn, "held", worker.task)

    def _put_task(self) -> None:
        """Put the next task into the queue, where the worker that has been idle longest takes it."""
        self._queue.append(self._later.popleft())
        self._note_queue()
        workers = [worker for worker in self._workers if worker.state == "idle"]
        idle = [worker for worker in workers if worker.until_us is None]
        if idle:
            self._advance(min(idle, key=lambda worker: worker.since_us))

    def _add_result(self) -> None:
        """Add the result of a task, for who has waited longest to get it."""
        if self._getting:
            self._advance(self._getting.popleft())
        else:
            self._results += 1

    def _take_task(self, worker: _Worker) -> None:
        """Give a worker of a pool its next task; where there is none it is idle, and others are done."""
        if worker.lane < len(self._workers) - self._panel.workers:
            self._enter(worker, "done")
            return
        if worker.state != "idle":
            self._add_result()
        if self._queue:
            worker.task, steps = self._queue.popleft()
            worker.steps.extend(steps)
            self._note_queue()
            self._advance(worker)
        else:
            worker.task = ""
            self._enter(worker, "idle")

    def _hand_out(self) -> None:
        """Give what slots are free to those that have waited longest."""
        while self._free and self._line:
            worker = self._line.popleft()
            worker.slot, worker.held_us = self._free.pop(), self._now_us
            self._advance(worker)

    def _give_back(self, worker: _Worker) -> None:
        if worker.slot:
            self._free.append(worker.slot)
            self._free.sort(reverse=True)
            worker.slot = 0

    def _find_preempted(self) -> _Worker | None:
        """Find who has had its slot longest, if others want it and turns end."""
        holders = [worker for worker in self._workers if worker.slot and worker.state == "runs"]
        if not (self._panel.turn_ms and self._line and holders):
            return None
        return min(holders, key=lambda worker: worker.held_us)

    def _find_turn_us(self, holder: _Worker) -> int:
        """Find when a holder's turn ends: so long after the first of the others began to wait for it."""
        asked_us = max(holder.held_us, self._line[0].since_us)
        return asked_us + round(self._panel.turn_ms * 1000)

    def _preempt(self, worker: _Worker) -> None:
        left_us, worker.until_us = (worker.until_us or self._now_us) - self._now_us, None
        self._give_back(worker)
        self._stand_in_line(worker, worker.step._replace(amount_ms=left_us / 1000))

    def _enter(self, worker: _Worker, state: State, label: str = "") -> None:
        """Note what a worker did until now, and what it does from now on."""
        self._close(worker)
        worker.state, worker.since_us = state, self._now_us
        worker.what_then, worker.slot_then = label or worker.task, worker.slot

    def _close(self, worker: _Worker) -> None:
        if self._now_us > worker.since_us and worker.state != "done":
            event = Event(
                worker.lane,
                worker.since_us,
                self._now_us,
                worker.state,
                worker.what_then,
                worker.slot_then,
            )
            self._events.append(event)

    def _finish(self) -> None:
        """Let those that are stuck, or without a task, stay so to the end, or as long as is declared."""
        self._now_us = max(self._now_us, round(self._panel.until_ms * 1000))
        for worker in (*self._workers, *self._drawn_locks.values()):
            if worker.state in ("locked", "idle", "held", "free"):
                self._close(worker)

    def _note_queue(self) -> None:
        line = self._line if self._panel.shared == "worker" else ()
        length = len(self._queue) + len(line)
        if self._lengths and self._lengths[-1][0] == self._now_us:
            self._lengths.pop()
        if not self._lengths or self._lengths[-1][1] != length:
            self._lengths.append((self._now_us, length))


def play_recorded(timeline: Timeline, until_ms: float = 0) -> Play:
    """Make a play of a measured run, of its tasks where it has some: when each ran, was ready or slept.

    It begins where the work does, and ends with it or after ``until_ms``. A lane that hardly ran is none,
    such as the main thread that only waits for the others.
    """
    whole_us = timeline.end_us - timeline.begin_us
    end_us = min(whole_us, round(until_ms * 1000) or whole_us)
    lanes = [lane for lane in timeline.lanes if lane.task] or timeline.lanes
    finest_us = 0 if any(lane.task for lane in lanes) else WATCHED_US
    grain_us = max(1, end_us / GRAINS, finest_us)
    least_us = LEAST_SHARE * max((_sum_running_us(lane, timeline) for lane in lanes), default=0)
    lanes = [lane for lane in lanes if _sum_running_us(lane, timeline) >= least_us]
    events: list[Event] = []
    for number, lane in enumerate(lanes):
        spans = _round_spans(lane, timeline.begin_us, end_us, grain_us)
        begun, ended = (
            round((at_us - timeline.begin_us) / grain_us) for at_us in (lane.begin_us, lane.end_us)
        )
        last_us, asleep_us = max(0, round(begun * grain_us)), min(round(ended * grain_us), end_us)
        for begin_us, until_us, core in [*spans, (asleep_us, asleep_us, WAITING)]:
            if begin_us > last_us:
                events.append(Event(number, last_us, begin_us, "sleeps"))
            if until_us > begin_us:
                state: State = "ready" if core == WAITING else "runs"
                events.append(Event(number, begin_us, until_us, state, slot=core))
            last_us = until_us
    events.sort(key=lambda event: (event.begin_us, event.lane))
    names = [lane.name for lane in lanes]
    return Play([name if names.count(name) == 1 else "" for name in names], events, [])


def _sum_running_us(lane: Lane, timeline: Timeline) -> int:
    """Sum how long a lane ran while the work was done."""
    begin_us, end_us = timeline.begin_us, timeline.end_us
    runs = [(begin, end) for begin, end, core in lane.spans if core != WAITING]
    return sum(max(0, min(end, end_us) - max(begin, begin_us)) for begin, end in runs)


def _round_spans(lane: Lane, zero_us: int, end_us: int, grain_us: float) -> list[Span]:
    """Round the spans of a lane to what can be seen: those too short are none, and neighbours are one."""
    spans: list[Span] = []
    last_us, last_core = 0, WAITING
    for span_begin_us, span_end_us, core in lane.spans:
        begin = round((span_begin_us - zero_us) / grain_us)
        end = max(begin + 1, round((span_end_us - zero_us) / grain_us))
        begin_us = max(round(begin * grain_us), last_us)
        until_us = min(round(end * grain_us), end_us)
        if span_end_us - span_begin_us < grain_us / 4 or until_us <= begin_us:
            continue
        if spans and begin_us == last_us and core == last_core:
            begin_us = spans.pop()[0]
        spans.append((begin_us, until_us, core))
        last_us, last_core = until_us, core
    return spans


def play_trace(trace: Trace, lane: str) -> Play:
    """Make a play of a trace, of those lanes that are of a kind if some are, and of the variables in it."""
    chosen = [number for number, name in enumerate(trace.lanes) if name.startswith(lane)]
    lanes = chosen or list(range(len(trace.lanes)))
    events: list[Event] = []
    last: dict[int, Event] = {}
    for written in trace.events:
        if written.lane not in lanes:
            continue
        event = _read_event(written, lanes.index(written.lane), trace.unit)
        before = last.get(event.lane)
        since_us = before.end_us if before else 0
        if before and event == before._replace(begin_us=since_us, end_us=event.end_us):
            events.remove(before)  # which goes on, such as a second read of the same
            event = event._replace(begin_us=before.begin_us)
        elif event.begin_us > since_us and (before or trace.unit == "us"):
            events.append(Event(event.lane, since_us, event.begin_us, _fill_gap(before)))
        last[event.lane] = event
        events.append(event)
    changed = {event.what for event in events if event.kind == "writes"}
    variables = list(dict.fromkeys(event.what for event in events if event.what in changed))
    end_us = max((event.end_us for event in events), default=0)
    for number, variable in enumerate(variables, len(lanes)):
        accesses = [event for event in events if event.what == variable]
        events += _follow_variable(number, accesses, end_us)
    names = [" ".join(trace.lanes[number].split()[2:]) for number in lanes]
    return Play(names, sorted(events, key=attrgetter("begin_us", "lane")), [], variables)


def _read_event(event: TraceEvent, lane: int, unit: str) -> Event:
    """Read an event; in a run that was watched it names the core."""
    state = STATE_OF.get(event.kind, "runs")
    if unit == "us":
        core = int(event.what.removeprefix("core ") or 0)
        return Event(lane, event.begin, event.end, state, slot=core)
    begin_us, end_us = event.begin * STEP_US, event.end * STEP_US
    return Event(lane, begin_us, end_us, state, event.what, 0, event.kind, event.value)


def _fill_gap(before: Event | None) -> State:
    """Name what a lane does after an event: it is stuck still, lets others make their steps, or sleeps."""
    if before and before.kind:
        return "locked" if before.state == "locked" else "paused"
    return "sleeps"


def _follow_variable(lane: int, accesses: Sequence[Event], end_us: int) -> Iterator[Event]:
    """Follow a variable's value, known once it was read or written, from the step that writes it on."""
    value, since_us = "", 0
    for access in accesses:
        if access.kind == "reads":
            value = value or access.value
        elif access.kind == "writes":
            if value:
                yield Event(lane, since_us, access.begin_us, "value", value)
            value, since_us = access.value, access.begin_us
    if end_us > since_us:
        yield Event(lane, since_us, end_us, "value", value)
