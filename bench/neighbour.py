"""Neighbour: how much is decided, and how much of it wrongly, while another program has one of two cores.

Programs do a known multiple of each other's work, and run in rounds beside one that computes without
end. What is known of them is decided as a build decides it.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from bench.benchmark import Benchmark, estimate_share
from making import make_program, make_record, make_variant, replace
from poolwise.machine import usable_cores
from poolwise.metrics import is_traced
from poolwise.plan import Step
from poolwise.process import Launcher
from poolwise.pythons import describe_python
from poolwise.record import Record, add_trial
from poolwise.trial import Bench, run_trial
from scripts.site.judge.decisions import DECIDED, STATUSES, decide
from scripts.site.judge.rounds import LEVELS
from scripts.site.judge.samples import estimate_ratio
from scripts.site.judge.spreads import Spreads, take_sample
from tests.factories import make_experiment

TIME_S = 110.0
ERRORS, LEAST_DECIDED = 0.05, 0.40
MARGIN = 1.1
MOST_WORK = 4.0
WAIT_S = 0.05
"""The wait of the least work: with its start a program then loses more than a system's ticks tell."""
PROGRAM = """import os, time
began_s, work = time.perf_counter(), float(os.environ["WORK"])
def compute(share):
    for _ in range(int(share * 100)):
        sum(number * number for number in range(10_000))
{body}
print("time", time.perf_counter() - began_s, "s")
"""
BODIES = {
    "wait": "time.sleep({wait_s} * work)",
    "loop": """import asyncio
began_s = time.perf_counter()
async def wait():
    await asyncio.gather(*[asyncio.sleep({wait_s} * work) for _ in range(50)])
asyncio.run(wait())""",
    "compute": "compute(work)",
    "processes": "child = os.fork()\ncompute(work / 2)\nos.waitpid(child, 0) if child else os._exit(0)",
    "memory": 'kept = b"x" * int(work * 60e6)',
}
KINDS = {"loop": "coroutines", "processes": "processes"}


class Pair(NamedTuple):
    """Two programs, and within which bounds the second is faster, or smaller, at the same work."""

    left: str
    right: str
    metric: str
    least: float = 1.0
    most: float = 1.0


PAIRS = (
    Pair("wait", "wait", "inside_s"),
    Pair("compute", "compute", "inside_s"),
    Pair("compute", "processes", "inside_s", 1.6, 2.1),
    Pair("loop", "wait", "inside_s", 0.95, 1.15),
    Pair("compute", "processes", "cpu_s", 0.9, 1.0),
    Pair("memory", "memory", "peak_pss_bytes", 0.85, 1.2),  # next to that of the interpreter
)


def try_neighbour() -> Iterator[Benchmark]:
    """Decide pairs beside a neighbour until the time is spent."""
    cores = usable_cores()[:2]
    tried, decided, wrong = Counter[Pair](), Counter[Pair](), Counter[Pair]()
    chance, ends_s = random.Random(1), time.monotonic() + TIME_S
    with tempfile.TemporaryDirectory() as folder, Launcher() as launcher, _compute_beside(cores):
        bench = _make_bench(Path(folder), launcher)
        records: list[Record] = []
        for pair in cycle(PAIRS):
            if time.monotonic() > ends_s:
                break
            ratio = MOST_WORK ** chance.uniform(-1, 1)
            is_more, may_be_more = ratio / pair.most >= MARGIN, ratio / pair.least >= MARGIN
            if is_more != may_be_more:
                continue
            status = _decide(bench, pair, ratio, cores, records)
            tried[pair] += 1
            if status in DECIDED:
                decided[pair] += 1
                wrong[pair] += status != ("confirmed" if is_more else "refuted")
    low, high = estimate_share(wrong.total(), decided.total())
    told = ", ".join(
        f"{pair.left} and {pair.right} ({pair.metric}) {decided[pair]} of {tried[pair]}"
        for pair in PAIRS
    )
    yield Benchmark(
        what=f"beside a neighbour on one of two cores decided: {told}",
        value=f"{decided.total() / tried.total():.0%}",
        budget=f"at least {LEAST_DECIDED:.0%}",
        kept=decided.total() >= LEAST_DECIDED * tried.total(),
    )
    yield Benchmark(
        what="of them decided wrongly",
        value=f"{wrong.total()} of {decided.total()}, so {low:.1%} to {high:.1%}",
        budget=f"{ERRORS:.0%}",
        kept=high <= ERRORS,
    )


@contextmanager
def _compute_beside(cores: Sequence[int]) -> Iterator[None]:
    """Let another program compute on one of these cores at a time."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as neighbour:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(neighbour.pid, cores)
        try:
            yield
        finally:
            neighbour.kill()


def _make_bench(folder: Path, launcher: Launcher) -> Bench:
    for name, body in BODIES.items():
        text = PROGRAM.format(body=body.format(wait_s=WAIT_S), wait_s=WAIT_S)
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    experiment = make_experiment(folder)
    programs = [
        make_program(file=f"{name}.py", kind=KINDS.get(name, "sequential"), families=[name])
        for name in BODIES
    ]
    profile = replace(
        experiment.profiles["quick"], longest_wait_s=dict.fromkeys(("wait", "loop"), WAIT_S)
    )
    return Bench(
        experiment=replace(experiment, programs=tuple(programs), profiles={"quick": profile}),
        profile=profile,
        installation=describe_python(Path(sys.executable)),
        launcher=launcher,
        server=None,
    )


def _decide(
    bench: Bench, pair: Pair, ratio: float, cores: tuple[int, ...], records: list[Record]
) -> str:
    """Tell whether the second takes more than the first, of whose work it does a multiple."""
    work, traced = max(1.0, 1 / ratio), is_traced(pair.metric)
    sides = [_begin(pair.left, work), _begin(pair.right, work * ratio)]
    status = "open"
    for level in LEVELS[:2]:
        while len(sides[0].traced if traced else sides[0].timed) < level:
            for place, record in enumerate(sides):
                step = Step(variant=record.variant, round=0, traced=traced)
                trial = run_trial(bench, step, cores)
                sides[place] = add_trial(record, trial, traced=traced, now=datetime.now(UTC))
        spreads = Spreads([*records, *sides])
        left, right = (take_sample(one, pair.metric, spreads, bench.experiment) for one in sides)
        status = STATUSES[decide("more", MARGIN, estimate_ratio(right, left))]
        if status != "open":
            break
    records += sides
    return status


def _begin(name: str, work: float) -> Record:
    """Begin the record of a program that does so much work."""
    params = {"WORK": str(work)}
    variant = make_variant(program=name, family=name, cores=2, workers=1, params=params)
    return make_record(variant, []).with_trials(traced=())
