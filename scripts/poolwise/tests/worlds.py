"""A made-up world in which attempts at a function take and give what a test says, on its own clock."""

import json
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from poolwise import advice, comparison, suggestion
from poolwise.process import Command, Outcome
from poolwise.suggestion import Bench, Suggestion, suggest
from poolwise.target import Task
from poolwise.words import Message
from pythons import CURRENT

# The running Python, said to be of a version that has no interpreters, so that each tries the same
# ways.
PYTHON = replace(CURRENT, path=Path(sys.executable))
START_S = 0.1


def wait(way: str, workers: int, count: int) -> float:
    """Each item waits 20 ms; processes take 10 ms each to start."""
    rounds = -(-count // (1 if way == "loop" else workers))
    return 0.02 * rounds + (0.01 * workers if way == "processes" else 0.0)


def compute(way: str, workers: int, count: int) -> float:
    """Each item computes for 20 ms and holds the GIL; there are two cores."""
    return 0.02 * count / (min(workers, 2) if way == "processes" else 1)


@dataclass(slots=True, kw_only=True)
class World:
    """A launcher whose attempts only say what they would do.

    ``takes_s`` has seconds by way, workers and items, which vary by ``noise``. ``ways`` that get more than
    a service ``stands`` at once are refused ``by`` an ``error``, another ``result``, that of another item
    (``mixing``), a lost ``change`` or ``silence``; ``lucky`` numbers are not the first time. ``fickle`` is
    the chance of other results with any number of threads. A function that ``is_silent`` returns nothing
    and changes nothing; what ``dies_in_contests`` is killed there. ``others`` are cores that others keep busy.
    """

    folder: Path
    takes_s: Callable[[str, int, int], float] = wait
    cpu_share: float = 0.01
    is_coroutine: bool = False
    blocks_loop: bool = False
    noise: float = 0.01
    stands: int = 1000
    by: str = "result"
    ways: Sequence[str] = ("threads", "processes", "interpreters", "coroutines")
    fickle: float = 0.0
    lucky: list[int] = field(default_factory=list)
    varies: bool = False
    is_silent: bool = False
    dies_in_contests: bool = False
    others: float = 0.0
    now_s: float = 0.0
    chance: random.Random = field(default_factory=lambda: random.Random(7))
    calls: list[tuple[str, int]] = field(default_factory=list)

    def clock(self) -> float:
        """Seconds since the world began."""
        return self.now_s

    def run(self, command: Command, sampler: object = None) -> Outcome:
        """Carry out an attempt, in no time but its own."""
        task = json.loads(command.argv[-1])
        if sampler and self.dies_in_contests:  # whose warm-up alone is sampled
            return Outcome(signal="SIGSEGV", exit_code=None, wall_s=START_S)
        way, workers, count = task["way"], task["workers"], task["count"]
        given = len(json.loads(Path(task["items"]).read_text(encoding="utf-8")))
        if way == "probe":
            each_s = self.takes_s("loop", 1, given) / given
            count = max(2, min(given, round(task["limit_s"] / each_s)))
        self.calls.append((way, workers))
        time_s = self.takes_s("loop" if way == "probe" else way, workers, count)
        if task["is_idle"]:
            time_s = 0.05 * workers
        time_s *= self.chance.lognormvariate(0.0, self.noise)
        is_refused = way in self.ways and workers > self.stands
        if is_refused and workers in self.lucky:
            self.lucky.remove(workers)
            is_refused = False
        if is_refused and self.by == "silence":
            time_s = 999.0
        if time_s + START_S > (command.timeout_s or 999.0):
            self.now_s += command.timeout_s or 0.0
            return Outcome(timed_out=True, exit_code=1, wall_s=command.timeout_s or 0.0)
        self.now_s += time_s + START_S
        proof = None if task["is_idle"] else self._prove(way, count, is_refused)
        answer: dict[str, Any] = {"time_s": time_s, "proof": proof}
        if way == "probe":
            answer = self._describe(given, count, time_s) | {"proof": proof}
        if is_refused and self.by == "error":
            error = {"error": "RuntimeError: too many"}
            answer = {"fault": {"key": "attempt.failed", "values": error}}
        stdout = f"{json.dumps(answer)}\ntime {time_s:.9f} s\n"
        return Outcome(exit_code=0, stdout=stdout, wall_s=time_s + START_S)

    def _describe(self, given: int, count: int, time_s: float) -> dict[str, Any]:
        return {
            "given": given,
            "count": count,
            "total_s": time_s,
            "cpu_share": self.cpu_share,
            "blocked_share": 0.5,
            "is_coroutine": self.is_coroutine,
            "blocks_loop": self.blocks_loop,
        }

    def _prove(self, way: str, count: int, is_refused: bool) -> dict[str, Any]:
        results = [f"result {number}" for number in range(count)]
        if self.varies:
            results = [str(self.chance.random()) for _ in results]
        is_raced = way == "threads" and self.chance.random() < self.fickle
        if is_refused and self.by == "mixing":
            results[-1] = results[0]
        if (is_refused and self.by == "result") or is_raced:
            results[-1] = "429"
        if self.is_silent:
            nothing = ["None"] * count
            return {
                "count": count,
                "results": nothing,
                "texts": nothing,
                "is_empty": True,
                "changes": {},
            }
        change = {"before": "0", "after": "1", "text": "1"}
        is_lost = is_refused and self.by == "change"
        changes = {"TOTAL": change | {"after": "2"} if is_lost else change}
        return {"count": count, "results": results, "texts": results, "changes": changes}

    def suggest(
        self, budget_s: float = 55.0, count: int = 64, workers: Sequence[int] = ()
    ) -> Suggestion:
        """Try a function in this world."""
        messages: list[Message] = []
        bench = Bench(
            launcher=self,  # type: ignore[arg-type]
            installation=PYTHON,
            limit_s=30.0,
            until_s=self.now_s + budget_s,
            tell=messages.append,
            clock=self.clock,
            workers=workers,
        )
        return suggest(
            Task(folder="", module="work", function="handle"), [*range(count)], bench, ()
        )


def make_world(folder: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Make a world with two cores, of which nobody reads the real load."""
    world = World(folder=folder)
    monkeypatch.setattr(comparison, "find_shares", lambda *_: (0.0, world.others))
    for module in (advice, comparison, suggestion):
        monkeypatch.setattr(module, "usable_cores", lambda: (0, 1))
    return world
