"""Suggestion: what a function would gain from threads, processes, interpreters or an event loop.

The function is called over its items in one way after another, each in a fresh process. A way climbs
its ``ladder``, and each try has to prove that it does what the loop does (``proof``). The best numbers
of workers then meet in a contest (``comparison``), in which each lap has to prove it again. There are
three outcomes: a way to use, no gain, or not known; ``advice`` says them. Everything together takes no
longer than the budget: what has no time is left out, and that is said.
"""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from itertools import accumulate
from math import ceil, inf
from pathlib import Path
from typing import Any, Literal

from poolwise import attempt
from poolwise.comparison import (
    Contender,
    Lap,
    Rules,
    find_load,
    hold_contest,
    is_slower,
    rank,
    run_lap,
)
from poolwise.ladder import MOST_PROCESSES, MOST_WORKERS, climb, find_border, list_numbers
from poolwise.machine import usable_cores
from poolwise.process import Command, Launcher
from poolwise.proof import (
    UNSEEN,
    Proof,
    describe_stage,
    describe_unproved,
    find_fault,
    list_effects,
)
from poolwise.pythons import Installation
from poolwise.statistics import Estimate, estimate_apart, estimate_pairs
from poolwise.target import RESULT_FIELDS, WAITING_SHARE, WAYS, Nature, Task, Way
from poolwise.words import Failed, Message, Undecided

Outcome = Literal["use", "no-gain", "not-known"]
# One part of so many of the budget is for the first calls, one item after the other.
PROBE_PART = 16
NEAR = 1.05  # a simpler way, or fewer workers, is taken if it takes no longer than this many times
UNSURE = 1.15  # the same where the contest could not tell which of two ways is the faster
CLOSE = 2.0  # a way that took so many times as long as the best, in one run, is not in the contest
FAR = 3.0  # nor is a loop that takes so many times as long
START_S = 1.0  # starting a way takes so much longer than starting a loop, twice that aside
NUMBERS_OF_A_WAY = 3
# There is no gain if all that is left possible is less than this many times as fast.
MOST_GAIN = 1.1
FEWEST_LAPS = 3  # fewer laps decide nothing
CONTEST_SHARE = 0.5  # the share of the time after the loops that is kept for the contest
# The share of the time before the contest that is kept for other Pythons, if there are any.
OTHERS_SHARE = 0.3
INTERPRETERS_SINCE = (3, 14)


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """The best way on another Python, one run each; ``out`` has those that are wrong there alone."""

    python: str
    loop: Task
    best: Task
    out: Sequence[Task]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A verdict, and what it rests on; the first that was ``tried`` is the loop.

    ``order`` has the contest, the fastest first, or the loop alone. ``gains`` has the loop's time as a
    multiple of each way's there, by label. ``out`` says of ways why they are, ``rest`` names those for
    which there was no time. ``start_s`` is what starting the best pool of processes takes, ``None`` where
    that says nothing. A budget of ``needed_s`` would do, as far as is known.
    """

    given: int
    nature: Nature
    outcome: Outcome
    chosen: Task
    order: Sequence[Contender]
    tried: Sequence[Task]
    out: Mapping[str, Message | None]
    rest: Sequence[str]
    gains: Mapping[str, Estimate]
    unproved: Message | None
    effects: Sequence[Message]
    needed_s: int
    start_s: float | None
    elsewhere: Sequence[Elsewhere]

    @property
    def loop_s(self) -> float:
        """Seconds that a loop takes."""
        loop = self.tried[0].label
        return next(contender.time_s for contender in self.order if contender.name == loop)

    @property
    def gain(self) -> Estimate | None:
        """The loop's time as a multiple of the chosen way's; ``None`` if that is the loop."""
        return self.gains.get(self.chosen.label)


@dataclass(slots=True, kw_only=True)
class Bench:
    """Everything that attempts need; ``until_s`` is when the time is up, by ``clock``.

    ``workers`` are the numbers that somebody wants. ``announce`` says what is about to happen,
    ``confirm`` does as well, and raises where a person does not want it.
    """

    launcher: Launcher
    installation: Installation
    limit_s: float
    until_s: float
    tell: Callable[[Message], None]
    clock: Callable[[], float] = time.monotonic
    workers: Sequence[int] = ()
    announce: Callable[[Message], None] = lambda _: None
    confirm: Callable[[Message], None] = lambda _: None

    @property
    def left_s(self) -> float:
        """Seconds until the time is up."""
        return self.until_s - self.clock()

    @property
    def stage_path(self) -> Path:
        """The file in which an attempt says where it is."""
        return self.launcher.folder / "stage"

    def make_command(self, task: Task, limit_s: float = inf) -> Command:
        """Return the command that carries out a task."""
        env = {
            "PYTHONDONTWRITEBYTECODE": "1",
            # Sets of texts have one order everywhere, so that results can be compared.
            "PYTHONHASHSEED": "0",
        }
        timeout_s = max(0.1, min(self.limit_s, limit_s, self.left_s))
        names = [column.name for column in fields(task) if column.name not in RESULT_FIELDS]
        request = {name: getattr(task, name) for name in names}
        request |= {"stage": str(self.stage_path), "stops_after_s": timeout_s}
        return Command(
            argv=(str(self.installation.path), "-P", attempt.__file__, json.dumps(request)),
            env={**os.environ, **self.installation.env, **env},
            cwd=Path.cwd(),
            timeout_s=timeout_s,
            grace_s=2.0,
        )

    def run(self, task: Task, limit_s: float = inf) -> tuple[dict[str, Any], Lap]:
        """Carry out a task; gives what came of it."""
        key = "suggestion.probing" if task.way == "probe" else "suggestion.trying"
        self.tell(Message(key, {"function": task.function, "way": task.name}))
        self.stage_path.unlink(missing_ok=True)  # of the run before
        try:
            lap = run_lap(self.launcher, task.function, self.make_command(task, limit_s))
            return read_answer(lap, task), lap
        except Failed as failure:
            fault = failure.message
            if fault.key == "end.timed-out":
                fault = describe_stage(self.stage_path, task.function) or fault
            if self.left_s <= 0:  # it was stopped for that
                raise Undecided("suggestion.time-up", function=task.function) from None
            raise Failed(fault) from None

    def attempt(self, task: Task, limit_s: float = inf) -> Task | None:
        """Carry out a task once; whatever goes wrong is the fault of the way, but for the time.

        ``None`` says that the time was up before it ended.
        """
        began_s = self.clock()
        try:
            answer, lap = self.run(task, limit_s)
        except Undecided:
            return None
        except Failed as failure:
            fault = failure.message
            if self.clock() - began_s >= limit_s:
                fault = Message("suggestion.too-slow", {"time": limit_s})
            return replace(task, fault=fault)
        return replace(task, **answer, lap=lap)


def read_answer(lap: Lap, task: Task) -> dict[str, Any]:
    """Return what an attempt printed, with its proof; a fault that it prints is ``Failed``."""
    if not lap.printed:
        raise Failed("suggestion.ended-python", function=task.function)
    answer: dict[str, Any] = json.loads(lap.printed)
    if fault := answer.get("fault"):
        raise Failed(Message(**fault))
    if answer["proof"]:  # what only starts a way proves nothing
        answer["proof"] = Proof.read(answer["proof"])
    return answer


def suggest(
    task: Task, items: Sequence[Any], bench: Bench, others: Sequence[Installation]
) -> Suggestion:
    """Try a function over items in every way that may help, and choose one.

    ``Undecided`` says that the budget did not suffice for the loop.
    """
    path = bench.launcher.folder / "items.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    task = replace(task, items=str(path), limit_s=bench.left_s / PROBE_PART)
    values = {"function": task.function, "time": task.limit_s}
    bench.announce(Message("suggestion.begins", values))
    answer, lap = bench.run(task)
    kept_alive = describe_stage(bench.stage_path, task.function)
    again: Proof = answer.pop("proof")
    nature = Nature(**answer)
    # Large results take longer to compare than to make.
    nature = replace(nature, whole_s=max(nature.total_s, lap.wall_s - START_S))
    fitting = int(bench.left_s / nature.loops / nature.whole_s * nature.count)
    count = max(min(nature.count, fitting), min(2, nature.count))
    task = replace(task, way="loop", count=count)
    search = Search(bench=bench, nature=nature, task=task, again=again)
    began_s = bench.clock()
    bench.confirm(search.plan_calls())
    bench.until_s += bench.clock() - began_s  # who thinks takes nothing of the time
    search.run_loops(2)
    search.climb_ways()
    for_others_s = min(OTHERS_SHARE * bench.left_s, len(others) * search.other_s)
    search.hold_contest(bench.left_s - for_others_s)
    chosen = search.choose()
    outcome = search.decide(chosen)
    if outcome != "use":
        chosen = search.loops[0]
    effects = list_effects(search.proofs, is_coroutine=nature.is_coroutine)
    if kept_alive:
        effects.append(kept_alive)
    return Suggestion(
        given=nature.given,
        nature=nature,
        outcome=outcome,
        chosen=chosen,
        order=search.order,
        tried=[search.loops[0], *search.tried],
        out=search.out,
        gains=search.gains,
        unproved=describe_unproved(search.proofs),
        effects=effects,
        rest=search.rest,
        needed_s=search.estimate_budget(),
        start_s=search.time_start(),
        elsewhere=search.try_elsewhere(others),
    )


@dataclass(slots=True, kw_only=True)
class Search:
    """The search for the best way; ``task`` is the loop. See ``Suggestion`` for what it finds.

    ``again`` is the proof of the probe, which calls once more: what grows then, or is overwritten.
    """

    bench: Bench
    nature: Nature
    task: Task
    again: Proof
    loops: list[Task] = field(default_factory=list)
    tried: list[Task] = field(default_factory=list)
    out: dict[str, Message | None] = field(default_factory=dict)
    rest: list[str] = field(default_factory=list)
    order: list[Contender] = field(default_factory=list)
    gains: dict[str, Estimate] = field(default_factory=dict)

    @property
    def proofs(self) -> list[Proof]:
        """What the loops gave and changed."""
        grown, overwritten = self.again.grown, self.again.overwritten
        proofs = [loop.proof for loop in self.loops if loop.proof]
        return [replace(proof, grown=grown, overwritten=overwritten) for proof in proofs]

    @property
    def loop_s(self) -> float:
        """Seconds that a loop takes."""
        return min(loop.time_s for loop in self.loops)

    @property
    def right(self) -> list[Task]:
        """The tries that did what the loop does, of ways that are not out."""
        return [task for task in self.tried if not task.fault and task.way not in self.out]

    @property
    def patience_s(self) -> float:
        """Seconds after which a way is so much slower than a loop that it needn't end."""
        starts_s = [loop.lap.wall_s - loop.time_s for loop in self.loops if loop.lap]
        return CLOSE * (self.loop_s + max(starts_s)) + START_S

    @property
    def other_s(self) -> float:
        """Seconds that another Python may take."""
        return 2 * START_S + self.loop_s * (1 + len(WAYS[2:]))

    def plan_calls(self) -> Message:
        """Say about how often the function will be called, and how many at once."""
        ways = list_possible_ways(self.nature, self.bench.installation)
        numbers = [self.list_numbers(way, MOST_WORKERS) for way in ways]
        laps = (len(ways) + 1) * (FEWEST_LAPS + 2)
        runs = 2 + sum(map(len, numbers)) + laps
        values = {
            "function": self.task.function,
            "count": int(float(f"{runs * (self.task.count or 0):.2g}")),
            "workers": max((ways[-1] for ways in numbers), default=1),
            "time": max(0.0, self.bench.left_s),
        }
        return Message("suggestion.plan", values)

    def list_numbers(self, way: Way, most: int) -> list[int]:
        """Return the numbers of workers that a way is tried with, rising, ``most`` at most."""
        count = self.task.count or 1
        if self.bench.workers:
            return sorted({min(workers, count) for workers in self.bench.workers})
        if way in ("processes", "interpreters"):
            most = min(most, MOST_PROCESSES)
        if not self.nature.waits:
            most = min(most, len(usable_cores()))
        if way == "coroutines" and self.nature.blocks_loop:
            most = 2
        return list_numbers(min(most, count))

    def run_loops(self, times: int) -> None:
        """Run the loop so many times more; all else is held against that."""
        for _ in range(times):
            loop = self.bench.attempt(self.task)
            if loop is None:
                needed = self.estimate_budget()
                raise Undecided("suggestion.no-time-for-loop", count=self.task.count, needed=needed)
            if loop.fault:
                function = self.task.function
                raise Failed("suggestion.failed-again", function=function, fault=loop.fault)
            self.loops.append(loop)

    def estimate_budget(self) -> int:
        """Estimate how many seconds would do for all of it, in tens."""
        loop_s = self.nature.whole_s / self.nature.count * (self.task.count or 1)
        return 10 * ceil((self.nature.loops + 4) * loop_s / 10 + 1)

    def climb_ways(self) -> None:
        """Try each way with rising numbers of workers, as long as there is time for a contest then."""
        most, reserve_s = MOST_WORKERS, CONTEST_SHARE * self.bench.left_s
        for way in list_possible_ways(self.nature, self.bench.installation):

            def attempt(workers: int, way: Way = way) -> Task | None:
                return self.attempt(replace(self.task, way=way, workers=workers), reserve_s)

            numbers = self.list_numbers(way, most)
            rungs = climb(numbers, attempt, self.loop_s)
            if not self.bench.workers:
                rungs += find_border(rungs, attempt)
            wrong = [rung for rung in rungs if rung.fault and rung.time_s < inf]
            if wrong and len(wrong) < len(rungs):
                # What returns something else only now and then is a race, and no number is safe from that.
                rungs += filter(None, [attempt(min(rung.workers for rung in wrong))])
            self.tried += rungs
            self._judge_way(way)
            right = [task.workers for task in self.right if task.way == way]
            # Another way would only hide from what refuses: so many at once is all that it stands.
            if right and len(right) < len(rungs):
                most = min(most, max(right))

    def attempt(self, task: Task, reserve_s: float = 0.0) -> Task | None:
        """Try a way once and hold it against the loop; ``None`` if the time is up but for a reserve."""
        has_time = self.bench.left_s > reserve_s + self.loop_s / task.workers
        if has_time and (rung := self.bench.attempt(task, self.patience_s)):
            if rung.proof:
                rung = replace(rung, fault=find_fault(self.proofs, rung.proof, task.way))
            return rung
        if task.way not in self.rest:
            self.rest.append(task.way)
        return None

    def _judge_way(self, way: Way) -> None:
        """Note why a way is out, if it is: no number was right, or what was wrong is no refusal.

        A service that refuses does so with each larger number, and returns what it returns for no item.
        """
        right = [task.workers for task in self.tried if task.way == way and not task.fault]
        for task in sorted(self.tried, key=lambda task: task.workers):
            is_wrong = task.way == way and task.fault
            if is_wrong and (not right or task.workers <= max(right) or self._is_mixed_up(task)):
                self.out[way] = task.fault
                return

    def _is_mixed_up(self, task: Task) -> bool:
        """Tell whether a way loses changes, or returns the result of one item for another."""
        if task.fault is None:
            return False
        if not task.proof or "result" not in task.fault.key:
            return task.fault.key.startswith("proof.")
        expected = self.proofs[0].results
        pairs = zip(expected, task.proof.results, strict=False)
        return any(result != digest and digest in expected for result, digest in pairs)

    def hold_contest(self, budget_s: float) -> None:
        """Run the best tries in rounds, as far as there is time.

        A loop that is far behind is not in it: it runs once more, and comes last.
        """
        until_s = self.bench.clock() + budget_s
        loops = self.loops[:1]
        if self.loop_s > FAR * min([task.time_s for task in self.right], default=inf):
            loops = []
            if self.bench.left_s > self.loop_s:
                self.run_loops(1)
        finalists = self.pick_finalists(until_s - self.bench.clock(), loops)
        tasks = {task.label: task for task in finalists}

        def check(contender: Contender, lap: Lap) -> None:
            task = tasks[contender.name]
            proof = read_answer(lap, task)["proof"]
            fault = find_fault(self.proofs, proof, task.way)
            if fault and task.way == "loop":  # what isn't alike in each loop proves nothing
                self.loops.append(replace(task, proof=proof))
            elif fault:
                tasks[contender.name] = replace(task, proof=proof)
                raise Failed(fault)

        contenders = list(map(self.make_contender, finalists))
        order: list[Contender] = []
        if len(contenders) > len(loops):
            with suppress(Failed):
                order = hold_contest(
                    contenders,
                    self.bench.launcher,
                    self.bench.tell,
                    until_s - self.bench.clock(),
                    Rules(fewest=FEWEST_LAPS, check=check, tie=NEAR),
                    self.bench.clock,
                )
        for contender in contenders:
            tasks[contender.name] = replace(tasks[contender.name], fault=contender.fault)
        self._judge_contest([*tasks.values()])
        order = [contender for contender in order if tasks[contender.name].way not in self.out]
        self._find_gains(order)

    def pick_finalists(self, left_s: float, loops: Sequence[Task]) -> list[Task]:
        """Pick the best numbers of workers of each way that may be the best, as far as there is time.

        Where too many at once go wrong, these are the largest.
        """
        limited = {task.way for task in self.tried if task.fault}
        best_s = min(task.time_s for task in [*self.right, *self.loops])
        ways: dict[str, list[Task]] = {}

        def rate(task: Task) -> float:
            if task.way in limited:
                return -task.workers
            return task.time_s

        for task in sorted(self.right, key=rate):
            ways.setdefault(task.way, []).append(task)
        close = {task.way for task in self.right if task.time_s < CLOSE * best_s}
        near = [ways[way] for way in ways if way in close]
        picked = [*loops]
        for place in range(NUMBERS_OF_A_WAY):
            picked += [tasks[place] for tasks in near if place < len(tasks)]
        rounds_s = accumulate(task.lap.wall_s for task in picked if task.lap)
        # The lap that warms up takes longer.
        longest_s = left_s / (FEWEST_LAPS + 2)
        return [task for task, s in zip(picked, rounds_s, strict=True) if s < longest_s]

    def _judge_contest(self, tasks: Sequence[Task]) -> None:
        """Note which ways are out, by what came of them in the contest.

        One number that was wrong there had been lucky before, and with fewer workers all may be right. What
        is wrong with two numbers, or right with more workers, is a race.
        """
        fallen = {task.label: task for task in tasks if task.fault}
        self.tried = [task for task in self.tried if task.label not in fallen]
        self.tried += fallen.values()
        for way in WAYS:
            right = [task.workers for task in tasks if task.way == way and not task.fault]
            wrong = [task for task in fallen.values() if task.way == way]
            for task in wrong:
                is_race = len(wrong) > 1 or task.workers < max(right, default=0)
                is_last = all(other.way != way for other in self.right)
                if is_race or is_last or self._is_mixed_up(task):
                    self.out[way] = task.fault

    def make_contender(self, task: Task) -> Contender:
        """Return a task as a program in a contest."""
        command = self.bench.make_command(task, self.patience_s)
        return Contender(name=task.label, command=command)

    def _find_gains(self, order: Sequence[Contender]) -> None:
        ways = [contender for contender in order if contender.name != self.task.label]
        loops = [contender for contender in order if contender.name == self.task.label]
        if ways and loops:
            self.order = rank(order)
            self.gains = {way.name: estimate_pairs(loops[0].times_s, way.times_s) for way in ways}
            return
        loop = self.make_contender(self.task)  # by the times that it took before
        loop.laps = [task.lap for task in self.loops if task.lap]
        loop.times_s = [task.time_s for task in self.loops]
        if ways:
            ways = rank(ways)
            self.gains = {way.name: estimate_apart(loop.times_s, way.times_s) for way in ways}
            loop.ratio = self.gains[ways[0].name]
        self.order = [*ways, loop]

    def choose(self) -> Task:
        """Choose the simplest way that is about as fast as the fastest, and of its numbers the least.

        Where too many at once go wrong, it is the most that is right.
        """
        tasks = {task.label: task for task in [*self.right, self.loops[-1]]}
        near: list[tuple[float, Task]] = []
        for contender in self.order:
            task, time_s = tasks[contender.name], contender.time_s
            limit = NEAR
            if contender.ratio and not is_slower(contender.ratio):
                limit = UNSURE
                if task.way == "loop":
                    limit = inf
            if time_s <= limit * self.order[0].time_s:
                near.append((time_s, task))
        if not near:
            return self.loops[-1]
        way = min((task.way for _, task in near), key=WAYS.index)
        best_s = min(time_s for time_s, task in near if task.way == way)
        same = [task for time_s, task in near if task.way == way and time_s <= NEAR * best_s]
        if any(task.way == way and task.fault for task in self.tried):
            return max(same, key=lambda task: task.workers)
        return min(same, key=lambda task: task.workers)

    def decide(self, chosen: Task) -> Outcome:
        """Decide whether a way is to be used, none gains anything, or neither is known."""
        gain = self.gains.get(chosen.label)
        if gain:
            unproved = describe_unproved(self.proofs)
            # What nobody sees here a thread changes as a loop does; a process changes its own copy.
            is_proved = not unproved or (unproved.key == UNSEEN and chosen.way not in attempt.APART)
            if is_slower(gain) and is_proved:
                return "use"
            return "not-known"
        # A loop that failed in the contest says nothing about what failed next to it.
        is_open = "loop" in self.out or self.rest
        if is_open or any(gain.high >= MOST_GAIN for gain in self.gains.values()):
            return "not-known"
        load = find_load(self.order)
        if load.is_busy and self.nature.cpu_share > WAITING_SHARE:
            # With the cores that others took it might have been so much faster.
            share = max(0.0, 1 - (load.others + load.stolen) / load.cores)
            if any(task.time_s * share < self.loop_s for task in self.right):
                return "not-known"
        compared = {task.way for task in self.right if task.label in self.gains}
        for task in self.right:
            if task.way not in compared and task.time_s < CLOSE * self.loop_s:
                return "not-known"
        return "no-gain"

    def time_start(self) -> float | None:
        """Time how long the best pool of processes takes to start; ``None`` where there is none."""
        pools = [task for task in self.right if task.way == "processes"]
        if not pools or self.nature.waits or self.bench.left_s < self.loop_s + START_S:
            return None
        idle = self.bench.attempt(replace(min(pools, key=lambda task: task.time_s), is_idle=True))
        if idle is None or idle.fault:
            return None
        return idle.time_s

    def try_elsewhere(self, others: Sequence[Installation]) -> list[Elsewhere]:
        """Try each way on other Pythons, one run each, as long as there is time."""
        best: dict[str, Task] = {}
        for task in sorted(self.right, key=lambda task: task.time_s):
            best.setdefault(task.way, task)
        answers = []
        for other in others:
            bench, title = replace(self.bench, installation=other), other.interpreter.title
            there = Search(bench=bench, nature=self.nature, task=self.task, again=self.again)
            ways = [way for way in list_possible_ways(self.nature, other) if way not in self.out]
            if bench.left_s < self.other_s:
                break
            try:
                there.run_loops(1)
                for way in ways:
                    workers = there.list_numbers(way, 2)[-1]
                    if way in best:
                        workers = best[way].workers
                    rung = there.attempt(replace(self.task, way=way, workers=workers))
                    there.tried += filter(None, [rung])
            except Undecided:
                break
            except Failed as failure:
                broken = replace(self.task, fault=failure.message)
                answers.append(Elsewhere(python=title, loop=broken, best=broken, out=()))
                continue
            fastest = min([*there.loops, *there.right], key=lambda task: task.time_s)
            wrong = [task for task in there.tried if task.fault and task.way in best]
            answers.append(Elsewhere(python=title, loop=there.loops[0], best=fastest, out=wrong))
        return answers


def list_possible_ways(nature: Nature, installation: Installation) -> list[Way]:
    """Return the ways worth trying besides a loop, the simplest first."""
    if nature.is_coroutine:
        if nature.blocks_loop:
            return ["threads", "coroutines"]
        return ["coroutines"]
    if installation.interpreter.minor < INTERPRETERS_SINCE:
        return ["threads", "processes"]
    return ["threads", "interpreters", "processes"]
