"""Yours: whether ``compare`` and ``try`` are right, on quiet cores.

Programs whose work differs by a known share tell how often the faster of two is named, and how often
a winner between a program and itself. Functions that others wrote tell whether the way suggested is
the fastest, by trying every way again and for longer.
"""

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path

from bench import foreign
from bench.benchmark import Benchmark, estimate_share
from poolwise.comparison import Contender, has_winner, hold_contest
from poolwise.process import Command, Launcher
from poolwise.pythons import describe_python, strip_environment
from poolwise.suggestion import Bench, Task, suggest

CONTESTS_S, FUNCTIONS_S = 150.0, 360.0  # together twelve minutes, with the last function
BUDGET_S = 20.0
WITHIN_S = 60.0
LONGER = 1.05
RIGHT = 0.95
NEAR_FASTEST = 1.10
FILES = ("one.py", "two.py")
BODIES = {
    "a loop of bytecode": "sum(i * i for i in range(int({share} * 300_000)))",
    "waiting": "import time; time.sleep({share} * 0.03)",
    "hashing": "import hashlib; hashlib.pbkdf2_hmac('sha256', b'x', b'y', int({share} * 40_000))",
    "sorting": "sorted(range(int({share} * 200_000)), key=lambda i: i * 7919 % 10_007)",
    "text": "' '.join(map(str, range(int({share} * 200_000))))",
    "memory": "[bytes(1000) for _ in range(int({share} * 40_000))]",
}
"""Programs of known behaviour, each against itself and against itself with more work."""
FUNCTIONS: dict[str, Sequence[int]] = {
    "fibonacci": [1500] * 60,
    "is_prime": [112272535095293, 112582705942171, 115280095190773, 1099726899285419],
    "load_url": [20] * 40,
    "calculate": range(40),
    "blocking_io": [2000] * 40,
    "cpu_bound": [100_000] * 60,
    "say_after": [20] * 40,
    "hash_password": [60_000] * 30,
    "compress": [6] * 30,
    "count_words": [6] * 30,
}


def try_yours() -> Iterator[Benchmark]:
    """Hold both commands against what is known, for as long as each part may take."""
    yield _try_contests(LONGER, "itself with 5% more work")
    yield _try_contests(1.0, "itself")
    ends_s = time.monotonic() + FUNCTIONS_S
    for name, items in FUNCTIONS.items():
        if time.monotonic() < ends_s:
            yield _try_function(name, items)


def _try_contests(share: float, against: str) -> Benchmark:
    """Hold each program against itself, ``share`` times as much work, in turn until the time is spent."""
    held, right, longest_s = Counter[str](), Counter[str](), 0.0
    ends_s = time.monotonic() + CONTESTS_S
    with tempfile.TemporaryDirectory() as parent, Launcher() as launcher:
        for name, body in BODIES.items():
            _write_pair(Path(parent) / name, body, share)
        for name in cycle(BODIES):
            began_s = time.monotonic()
            if began_s > ends_s:
                break
            contenders = [_make_contender(Path(parent) / name, file) for file in FILES]
            order = hold_contest(contenders, launcher, lambda _: None, BUDGET_S)
            longest_s = max(longest_s, time.monotonic() - began_s)
            found = order[0].name if has_winner(order) else ""
            held[name] += 1
            right[name] += found == (FILES[0] if share > 1 else "")
    low, high = estimate_share(right.total(), held.total())
    missed = ", ".join(f"{name} {count}" for name, count in (held - right).items())
    return Benchmark(
        what=f"programs against {against}, told rightly (missed: {missed or 'none'})",
        value=f"{right.total()} of {held.total()}, so {low:.0%} to {high:.0%}; {longest_s:.0f} s at most",
        budget=f"{RIGHT:.0%}, {WITHIN_S:.0f} s",
        kept=right.total() >= RIGHT * held.total() and longest_s <= WITHIN_S,
    )


def _write_pair(folder: Path, body: str, share: float) -> None:
    folder.mkdir()
    for file, size in zip(FILES, (1.0, share), strict=True):
        code = f"import time\nbegan_s = time.perf_counter()\n{body.format(share=size)}\n"
        code += "print(f'time {time.perf_counter() - began_s:.9f} s')\n"
        (folder / file).write_text(code, encoding="utf-8")


def _make_contender(folder: Path, file: str) -> Contender:
    argv, env = (sys.executable, file), strip_environment({})
    return Contender(name=file, command=Command(argv=argv, env=env, cwd=folder, grace_s=2.0))


def _try_function(name: str, items: Sequence[int]) -> Benchmark:
    began_s = time.monotonic()
    with Launcher() as launcher:
        bench = Bench(
            launcher=launcher,
            installation=describe_python(Path(sys.executable)),
            limit_s=WITHIN_S,
            until_s=began_s + WITHIN_S - 5.0,
            tell=lambda _: None,
        )
        folder = str(Path(foreign.__file__).parent)
        task = Task(folder=folder, module="foreign", function=name)
        found = suggest(task, list(items), bench, ())
        took_s = time.monotonic() - began_s
        # Each way that worked, tried again in rounds.
        contenders = [
            Contender(name=one.label, command=bench.make_command(one))
            for one in found.tried
            if not one.fault
        ]
        order = hold_contest(contenders, launcher, lambda _: None, 0.0)
    chosen = found.chosen.label
    times_s = {one.name: one.time_s for one in order}
    fastest = min(times_s, key=lambda one: times_s[one])
    ratio = times_s[chosen] / times_s[fastest]
    return Benchmark(
        what=f"{name}: {chosen} suggested, {fastest} the fastest, its time as a multiple",
        value=f"{ratio:.2f}, in {took_s:.0f} s",
        budget=f"{NEAR_FASTEST}, {WITHIN_S:.0f} s",
        kept=ratio <= NEAR_FASTEST and took_s <= WITHIN_S,
    )
