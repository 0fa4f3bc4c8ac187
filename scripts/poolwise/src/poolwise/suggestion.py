"""Suggestion: what a function would gain from threads, processes, interpreters or an event loop.

The function is called over its items in one way after another, each in a fresh process. Every way is
tried once with a few numbers of workers; the best of them then meet in a contest (``comparison``).
Of those that are as fast as the fastest the simplest is suggested. What cannot be tried is ``Failed``.
"""

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from pathlib import Path
from typing import Any, Literal, get_args

from poolwise import attempt
from poolwise.comparison import (
    Contender,
    Rules,
    describe_gain,
    describe_noise,
    hold_contest,
    is_slower,
    run_lap,
)
from poolwise.machine import usable_cores
from poolwise.process import Command, Launcher
from poolwise.proof import Proof, describe_stage, describe_unproved, find_fault, list_effects
from poolwise.pythons import Installation
from poolwise.statistics import Estimate, estimate_pairs
from poolwise.target import Target
from poolwise.words import Failed, Message, Words

Way = Literal["loop", "threads", "coroutines", "interpreters", "processes"]
WAYS: tuple[Way, ...] = get_args(Way)
"""The simplest first."""
PROBE_S = 2.0
"""So long a loop over the items is tried; those that it has not reached by then are left out."""
WAITING = 0.5
"""A function that uses a CPU for less than this share of its time waits."""
BLOCKED = 0.08
"""Two threads that wait for each other for more than this share of their time share a GIL. On a busy
machine two loops that hold it wait for 0.15 to 0.5 of it, two that do not for 0 to 0.03."""
SHORT_S = 0.01
"""Work that is over sooner has no nature worth telling."""
NEAR = 1.05
"""A simpler way, or fewer workers, is taken if it takes no longer than this many times."""
FAR = 3.0
"""A way that takes so many times as long as the best is not measured again."""
FEWEST_ROUNDS = 3
"""Rounds of a contest for which there is no time."""
CONTEST_SHARE = 0.6
"""The share of the time left that the contest may take; the rest is for other Pythons."""
MOST_WORKERS = 64
INTERPRETERS_SINCE = (3, 14)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(Target):
    """An attempt at a function, and what came of it; ``is_idle`` starts the way but does no work.

    ``time_s`` is endless until it is tried, and if the way is out, which ``fault`` explains.
    """

    way: Way | Literal["probe"] = "probe"
    workers: int = 1
    count: int | None = None
    limit_s: float = PROBE_S
    is_idle: bool = False
    time_s: float = inf
    proof: Proof | None = None
    fault: str = ""

    @property
    def label(self) -> str:
        """The name of the way for people."""
        if self.way == "coroutines":
            return f"an event loop, {self.workers} at once"
        return "a loop" if self.way == "loop" else f"a pool of {self.workers} {self.way}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Nature:
    """The findings of the first try, one item after the other; see ``attempt.probe``.

    ``cpu_share`` is the share of its time that it used a CPU, the time without a core aside.
    ``blocked_share`` is ``None`` where two threads at once were not tried, or too many, ``pickling_s``
    where something cannot be pickled.
    """

    count: int
    total_s: float
    cpu_share: float
    blocked_share: float | None
    is_coroutine: bool
    blocks_loop: bool = False
    pickling_s: float | None = None
    item_bytes: int = 0
    result_bytes: int = 0

    @property
    def waits(self) -> bool:
        """Tell whether it waits for most of its time."""
        return self.cpu_share < WAITING


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A way to take, and what that rests on; the first that was ``tried`` is the loop.

    ``start_s`` is what starting the best pool of processes takes, ``None`` if none was tried.
    ``elsewhere`` has the best way on each other Python.
    """

    given: int
    nature: Nature
    chosen: Task
    order: Sequence[Contender]
    tried: Sequence[Task]
    start_s: float | None
    elsewhere: Sequence[tuple[str, Task]]
    notes: Sequence[str]

    @property
    def loop_s(self) -> float:
        """Seconds that a loop takes, by the contest if it was in it: the first calls take longer."""
        loop, contest = self.tried[0], {one.name: one.time_s for one in self.order}
        return contest.get(loop.label, loop.time_s)

    @property
    def gain(self) -> Estimate | None:
        """The loop's time as a multiple of the chosen way's; ``None`` if that is the loop."""
        if self.chosen.way == "loop":
            return None
        loop, contest = self.tried[0], {one.name: one.times_s for one in self.order}
        own_s = contest[self.chosen.label]
        return estimate_pairs(contest.get(loop.label) or [loop.time_s] * len(own_s), own_s)


@dataclass(slots=True, kw_only=True)
class Bench:
    """Everything that attempts need; ``until_s`` is when the time is up, by ``clock``."""

    launcher: Launcher
    installation: Installation
    limit_s: float
    until_s: float
    tell: Callable[[Message], None]
    clock: Callable[[], float] = time.monotonic

    @property
    def stage_path(self) -> Path:
        """The file in which an attempt says where it is."""
        return self.launcher.folder / "stage"

    @property
    def left_s(self) -> float:
        """Seconds until the time is up."""
        return self.until_s - self.clock()

    def make_command(self, task: Task) -> Command:
        """Return the command that carries out a task."""
        asked = asdict(task)
        for found in ("time_s", "proof", "fault"):
            del asked[found]
        asked |= {"stage": str(self.stage_path), "stops_after_s": self.limit_s}
        own = {
            "PYTHONDONTWRITEBYTECODE": "1",
            # Sets of texts have one order everywhere, so that results can be compared.
            "PYTHONHASHSEED": "0",
        }
        return Command(
            argv=(str(self.installation.path), "-P", attempt.__file__, json.dumps(asked)),
            env={**os.environ, **self.installation.env, **own},
            cwd=Path.cwd(),
            timeout_s=self.limit_s,
            grace_s=2.0,
        )

    def run(self, task: Task) -> dict[str, Any]:
        """Carry out a task; gives what came of it."""
        name = f"{task.function} in {task.label}" if task.way != "probe" else task.function
        self.tell(Message(f"trying {name}"))
        try:
            lap = run_lap(self.launcher, name, self.make_command(task))
        except Failed as failure:
            is_late = failure.message.key == "comparison.timed-out"
            stage = describe_stage(self.stage_path, task.function) if is_late else None
            raise Failed(stage or failure.message) from None
        if not lap.printed:
            raise Failed(f"{name} ended Python, with status 0, before it returned")
        told: dict[str, Any] = json.loads(lap.printed)
        if "fault" in told:
            raise Failed(Message(**told["fault"]))
        if told["proof"]:
            told["proof"] = Proof.read(told["proof"])
        return told

    def attempt(self, task: Task) -> Task:
        """Carry out a task once; whatever goes wrong is the fault of the way."""
        try:
            return replace(task, **self.run(task))
        except Failed as failure:
            return replace(task, time_s=inf, fault=str(failure).rstrip("."))


def suggest(
    task: Task, items: Sequence[Any], bench: Bench, others: Sequence[Installation]
) -> Suggestion:
    """Try a function over items in every way that may help, and choose one."""
    path = bench.launcher.folder / "items.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    task = replace(task, items=str(path))
    came = bench.run(task)
    proofs = [came.pop("proof")]
    nature = Nature(**came)
    task = replace(task, count=nature.count, way="loop")
    loop, again = bench.attempt(task), bench.attempt(task)
    if fault := loop.fault or again.fault:
        raise Failed(f"{task.function} failed when it was called again: {fault}")
    proofs += [run.proof for run in (loop, again) if run.proof]
    notes = [Words().say(note) for note in list_effects(proofs)]
    if unproved := describe_unproved(proofs):
        notes.append(Words().say(unproved))
    candidates = list_candidates(task, nature, bench.installation, len(usable_cores()))
    tried = [loop, *(bench.attempt(one) for one in candidates if bench.left_s >= 0)]
    if len(tried) <= len(candidates):
        notes.append("The time was up before every way was tried: give it more with --budget.")
    # What returned other results once may do so again, with fewer workers too.
    differing = {
        one.way: Words().say(differs).rstrip(".")
        for one in tried[1:]
        if one.proof and (differs := find_fault(proofs, one.proof, one.way))
    }
    tried = [
        replace(one, time_s=inf, fault=one.fault or differing[one.way])
        if one.way in differing
        else one
        for one in tried
    ]
    finalists = [
        Contender(name=one.label, command=bench.make_command(one)) for one in pick_finalists(tried)
    ]
    order = hold_contest(
        finalists,
        bench.launcher,
        bench.tell,
        CONTEST_SHARE * bench.left_s if len(finalists) > 1 else 0.0,
        Rules(fewest=FEWEST_ROUNDS),
        bench.clock,
    )
    faults = [Words().say(one.fault) for one in finalists if one.fault]
    notes += [f"Out of the last contest: {fault}" for fault in faults]
    pools = [one for one in tried if one.way == "processes" and not one.fault]
    start_s = bench.attempt(replace(pools[-1], is_idle=True)).time_s if pools else None
    elsewhere = _try_elsewhere(task, nature, others, bench)
    return Suggestion(
        given=len(items),
        nature=nature,
        chosen=choose(tried, order),
        order=order,
        tried=tried,
        start_s=start_s,
        elsewhere=elsewhere,
        notes=[*notes, *map(Words().say, describe_noise(order))],
    )


def list_candidates(task: Task, nature: Nature, python: Installation, cores: int) -> list[Task]:
    """Return the ways worth trying besides a loop, each with a few numbers of workers, rising."""
    few, items = {2, cores // 2, cores}, task.count or nature.count
    many = {4, 16, MOST_WORKERS, min(items, MOST_WORKERS)} if nature.waits else few
    numbers: dict[Way, set[int]] = {"coroutines": many}
    if not nature.is_coroutine:
        numbers = {"threads": many, "processes": few}
        if python.interpreter.minor >= INTERPRETERS_SINCE:
            numbers["interpreters"] = few
    return [
        replace(task, way=way, workers=workers)
        for way, counts in numbers.items()
        for workers in sorted(counts)
        if 1 < workers <= max(2, items)
    ]


def pick_finalists(tried: Sequence[Task]) -> list[Task]:
    """Pick the best of each way, with as few workers as that takes, none far behind; and the loop."""
    best_s = min(one.time_s for one in tried)
    picked = []
    for way in WAYS[1:]:
        own = [one for one in tried if one.way == way and one.time_s < FAR * best_s]
        if own:
            near_s = NEAR * min(one.time_s for one in own)
            picked.append(next(one for one in own if one.time_s <= near_s))
    return [tried[0], *picked] if tried[0].time_s < FAR * best_s or len(picked) < 2 else picked


def choose(tried: Sequence[Task], order: Sequence[Contender]) -> Task:
    """Choose the simplest of the ways that are about as fast as the fastest, or may well be."""
    first, *others = order
    names = {first.name}
    for one in others:
        if one.time_s <= NEAR * first.time_s or not (one.ratio and is_slower(one.ratio)):
            names.add(one.name)
    near = [one for one in tried if one.label in names]
    return min(near, key=lambda one: WAYS.index(one.way))


def _try_elsewhere(
    task: Task, nature: Nature, others: Sequence[Installation], bench: Bench
) -> list[tuple[str, Task]]:
    """Try each way once on other Pythons, as long as time is left; gives the best on each."""
    found = []
    for other in others:
        # Of each way the candidate with the most workers.
        most = {one.way: one for one in list_candidates(task, nature, other, len(usable_cores()))}
        there = replace(bench, installation=other)
        ways = (task, *most.values())
        tried = [there.attempt(one) for one in ways if bench.left_s > nature.total_s]
        if tried:
            found.append((other.interpreter.title, min(tried, key=lambda one: one.time_s)))
    return found


def describe_suggestion(one: Suggestion) -> list[str]:
    """Say what to take, why, and where it would change: a line for each."""
    nature = one.nature
    lines = [_describe_choice(one), f"Why: {_describe_nature(one)}"]
    if nature.pickling_s is not None and not nature.is_coroutine:
        sizes = [size // nature.count for size in (nature.item_bytes, nature.result_bytes)]
        share = nature.pickling_s / nature.total_s
        taken = f"{share:.1f} times" if share > 1 else f"{share:.0%} of"
        lines.append(
            f"A process gets an item of {sizes[0]:,} bytes and sends back a result of "
            f"{sizes[1]:,}. Pickling both takes {taken} the time of the work."
        )
    cores = len(usable_cores())
    if one.start_s is not None and not nature.waits and cores > 1:
        turn_s = one.start_s / (1 - 1 / cores)
        # Where the contest says otherwise, the size is not what decides.
        if (one.loop_s > turn_s) == (one.gain is not None):
            lines.append(
                f"It depends on the size: starting processes takes {describe_time(one.start_s)}, "
                f"so they pay off for more than about {describe_time(turn_s)} of work. "
                f"This was {describe_time(one.loop_s)}."
            )
    more = [it for it in one.tried if it.way == one.chosen.way][-1]
    if more.workers > one.chosen.workers and not more.fault:
        lines.append(f"More workers gain nothing: {more.label} took {describe_time(more.time_s)}.")
    if nature.waits and 1 < one.chosen.workers == nature.count < one.given:
        lines.append(f"More workers may gain more: with {nature.count} items no more were tried.")
    faults = {it.way: f"Not {it.label}: {it.fault}." for it in one.tried if it.fault}
    lines += faults.values()
    for title, best in one.elsewhere:
        told = best.fault or f"{best.label}, {describe_time(best.time_s)} (one run)"
        lines.append(f"On {title}: {told}.")
    return [*lines, *one.notes]


def _describe_choice(one: Suggestion) -> str:
    count, fastest = one.chosen.count, one.order[0].name
    over = f"over {one.given} item{'s' * (one.given > 1)}"
    if count != one.given:
        over = f"over {count} of {one.given} items"
    if one.gain:
        return (
            f"Use {one.chosen.label}: {over}, it {Words().say(describe_gain(one.gain, 'a loop'))}."
        )
    ratio = next((it.ratio for it in one.order if it.name == one.chosen.label), None)
    if ratio and ratio.median > NEAR:
        return (
            f"Keep a loop for now: {over}, {fastest} {Words().say(describe_gain(ratio, 'a loop'))}. "
            "Try again on an idle machine."
        )
    why = "that was tried is faster for sure" if len(one.tried) > 1 else "else was tried"
    return f"Use a loop: {over} ({describe_time(one.loop_s)}), nothing {why}."


def _describe_nature(one: Suggestion) -> str:
    function, nature = one.chosen.function, one.nature
    if one.loop_s < SHORT_S:
        return f"all of it takes {describe_time(one.loop_s)}, less than starting a pool."
    if nature.waits:
        is_blocking = nature.is_coroutine and one.gain is None and len(one.tried) > 1
        blocks = " It blocks the event loop meanwhile: others can't run." if is_blocking else ""
        return f"{function} waits. It used a CPU for {nature.cpu_share:.0%} of its time.{blocks}"
    if nature.is_coroutine:
        return f"{function} computes, and an event loop computes one thing at a time."
    if nature.blocked_share is None:
        return f"{function} computes."
    holds = "holds" if nature.blocked_share > BLOCKED else "doesn't hold"
    return (
        f"{function} computes and {holds} the GIL: two threads spent "
        f"{max(0.0, nature.blocked_share):.0%} of their time waiting for each other."
    )


def describe_time(seconds: float) -> str:
    """Say a time in seconds, a short one in milliseconds."""
    return Words().format_field(seconds, "s")
