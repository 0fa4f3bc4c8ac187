"""Yours: whether ``compare`` and ``try`` are right, asked as a reader asks them.

Programs whose work differs by a known share tell how often the faster of two is named, and how often
a winner between a program and itself. Functions that others wrote (``foreign``) tell whether the way
suggested is the fastest, by trying each way with many numbers of workers. Functions that go wrong in a
pool (``traps.toml``) tell whether wrong results are ever suggested. All of it takes an hour; quiet cores
are needed for contests and functions. ``CONTESTS=100`` holds so many contests instead of forty, and
``ONLY='load*'`` tries some functions or traps only.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from itertools import cycle, islice
from math import inf
from pathlib import Path
from typing import Any

from bench import foreign
from bench.benchmark import Benchmark, estimate_share
from poolwise.comparison import Contender, Rules, hold_contest
from poolwise.process import Command, Launcher
from poolwise.pythons import strip_environment

ONLY = os.environ.get("ONLY", "*")
CONTESTS = int(os.environ.get("CONTESTS", "40"))
CONTEST_S, TRAP_S = 40.0, 15.0
FUNCTION_S = 55.0
LONGEST_S = 60.0
LONGER = 1.05
RIGHT = 0.95
NEAR_FASTEST = 1.10
FILES = ("one.py", "two.py")
ASKED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Programs and functions that the tool is asked about."""
WORKERS = (2, 4, 8, 16, 24, 32, 40, 64)
POOLS, COROUTINES = ("ThreadPoolExecutor", "ProcessPoolExecutor"), ("Semaphore",)
LOOP = "loop 1"
FIRST_ROUNDS, ROUNDS, FINALISTS = 2, 9, 5
"""Of all ways, then of those that were the fastest."""
REFERENCE = """\
import asyncio, concurrent.futures, inspect, json, sys, time
import foreign
name, way, workers = sys.argv[1:]
function, items, workers = getattr(foreign, name), json.load(open("items.json")), int(workers)
async def gather():
    limit = asyncio.Semaphore(workers)
    async def bounded(item):
        async with limit:
            return await function(item)
    return await asyncio.gather(*map(bounded, items))
if __name__ == "__main__":
    began_s = time.perf_counter()
    if inspect.iscoroutinefunction(function):
        asyncio.run(gather())
    elif way == "loop":
        [function(item) for item in items]
    else:
        chunk = max(1, len(items) // (4 * workers)) if way == "ProcessPoolExecutor" else 1
        with getattr(concurrent.futures, way)(workers) as pool:
            list(pool.map(function, items, chunksize=chunk))
    print(f"time {time.perf_counter() - began_s:.9f} s")
"""
TRAPS = Path(__file__).with_name("traps.toml")
RUNS = 4
"""Of a program that is suggested for a trap: a race may be won once."""
TRAP_LOOP = """\
import asyncio, inspect, json, pathlib, work
items = json.loads(pathlib.Path("items.json").read_text())
async def main():
    for item in items:
        result = work.{target}(item)
        print(await result if inspect.isawaitable(result) else result)
asyncio.run(main())
"""
CHECK = """\
import json, sys, work
loads, items, results = json.loads, [], []
def keep(text):
    items[:] = loads(text)
    return items
def note(*result):
    results.append(repr(eval(sys.argv[1], vars(work) | {"result": result[-1]})))
if __name__ == "__main__":
    json.loads = keep
    exec(open("program.py").read(), {"__name__": "__main__", "print": note})
    print(repr((results, eval(sys.argv[2], vars(work) | {"items": items}))))
"""
"""Runs a program; prints what it would print, as far as that counts, and what the calls have left."""


def ask(folder: Path, *arguments: str, budget_s: float) -> tuple[dict[str, Any], float]:
    """Carry out a command in a folder; gives its answer as JSON, and the seconds that it took.

    Raises:
        RuntimeError: it gave no answer.
    """
    argv = [sys.executable, "-m", "poolwise", *arguments, "--budget", str(budget_s)]
    argv += ["--export-json", "answer.json", "--lang", "en"]
    began_s = time.monotonic()
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False)
    took_s = time.monotonic() - began_s
    if done.returncode not in (0, 3):
        raise RuntimeError(f"{' '.join(arguments)}: status {done.returncode}\n{done.stderr}")
    return json.loads((folder / "answer.json").read_bytes()), took_s


def ask_about(
    folder: Path, target: str, items: Sequence[object], budget_s: float
) -> tuple[dict[str, Any], float]:
    """Ask what a function would gain."""
    (folder / "items.json").write_text(json.dumps([*items]), encoding="utf-8")
    options = ("--items", "items.json", "--interpreters", "current")
    return ask(folder, "try", target, *options, budget_s=budget_s)


def try_contests() -> Iterator[Benchmark]:
    """Hold each program against itself, and against itself with more work, in turn."""
    yield _try_contests(LONGER, "itself with 5% more work", "winner")
    yield _try_contests(1.0, "itself", "same")


def _try_contests(share: float, against: str, expected: str) -> Benchmark:
    outcomes, missed, longest_s = Counter[str](), Counter[str](), 0.0
    with tempfile.TemporaryDirectory() as parent:
        for name, body in ASKED["bodies"].items():
            _write_pair(Path(parent) / name, body, share)
        for name in islice(cycle(ASKED["bodies"]), CONTESTS):
            said, took_s = ask(Path(parent) / name, "compare", *FILES, budget_s=CONTEST_S)
            outcome = said["outcome"]
            if said["winner"] == FILES[1]:
                outcome = "the wrong one"
            outcomes[outcome] += 1
            missed[name] += outcome != expected
            longest_s = max(longest_s, took_s)
    low, high = estimate_share(outcomes[expected], CONTESTS)
    told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
    return Benchmark(
        what=f"programs against {against}: {told}; missed {dict(+missed) or 'none'}",
        value=f"{outcomes[expected]} of {CONTESTS}, so {low:.0%} to {high:.0%}; {longest_s:.0f} s at most",
        budget=f"{RIGHT:.0%}, {LONGEST_S:.0f} s",
        kept=outcomes[expected] >= RIGHT * CONTESTS and longest_s <= LONGEST_S,
    )


def _write_pair(folder: Path, body: str, share: float) -> None:
    folder.mkdir()
    for file, size in zip(FILES, (1.0, share), strict=True):
        code = f"import time\nbegan_s = time.perf_counter()\n{body.format(share=size)}\n"
        code += "print(f'time {time.perf_counter() - began_s:.9f} s')\n"
        (folder / file).write_text(code, encoding="utf-8")


def try_functions() -> Iterator[Benchmark]:
    """Try the functions that wait, then those that compute."""
    for kind, fewest in (("wait", 1.0), ("compute", 0.9)):
        with _serve():
            chosen = {name: items for name, items in ASKED[kind].items() if fnmatch(name, ONLY)}
            near = [_try_function(name, list(eval(items))) for name, items in chosen.items()]
        yield Benchmark(
            what=f"functions that {kind}: the fastest way suggested, or one within 10 % of it",
            value=f"{sum(near)} of {len(near)}",
            budget=f"{fewest:.0%}, {LONGEST_S:.0f} s each",
            kept=sum(near) >= fewest * len(near),
        )


@contextmanager
def _serve() -> Iterator[None]:
    """Let the service of ``foreign`` answer meanwhile."""
    command = [sys.executable, foreign.__file__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as service:
        assert service.stdin
        assert service.stdout
        os.environ["FOREIGN_PORT"] = service.stdout.readline().decode().strip()
        try:
            yield
        finally:
            service.stdin.close()


def _try_function(name: str, items: Sequence[int]) -> bool:
    """Tell whether the way suggested is as fast as the fastest, and was in time."""
    with tempfile.TemporaryDirectory() as parent, Launcher() as launcher:
        folder = Path(parent)
        (folder / "foreign.py").write_bytes(Path(foreign.__file__).read_bytes())
        (folder / "reference.py").write_text(REFERENCE, encoding="utf-8")
        said, took_s = ask_about(folder, f"foreign.py:{name}", items, FUNCTION_S)
        chosen = find_way(said["program"])
        pools = COROUTINES if name in ("say_after", "tcp_echo_client") else POOLS
        ways = {f"{pool} {count}" for pool in pools for count in WORKERS if count <= len(items)}
        times_s = _time_ways(launcher, folder, name, {LOOP, chosen, *ways}, FIRST_ROUNDS)
        fast = {*sorted(times_s, key=lambda way: times_s[way])[:FINALISTS], chosen}
        times_s = _time_ways(launcher, folder, name, fast, ROUNDS)
    fastest = min(times_s, key=lambda way: times_s[way])
    ratio = times_s.get(chosen, inf) / times_s[fastest]
    print(
        f"        {name}: {said['outcome']}, {chosen}; the fastest is {fastest}, "
        f"ratio {ratio:.2f}; {took_s:.0f} s",
        flush=True,
    )
    return ratio <= NEAR_FASTEST and took_s <= LONGEST_S


def find_way(program: str) -> str:
    """The pool and the number of workers of a program that was suggested; a loop if none was."""
    pool = re.search(r"\b(\w+PoolExecutor)\((\d+)\)", program)
    at_once = re.search(r"^AT_ONCE = (\d+)$", program, re.MULTILINE)
    if at_once:
        return f"Semaphore {at_once[1]}"
    return f"{pool[1]} {pool[2]}" if pool else LOOP


def _time_ways(
    launcher: Launcher, folder: Path, name: str, ways: set[str], rounds: int
) -> dict[str, float]:
    """Seconds that the work takes in each way that works, by rounds in shuffled order."""
    env = strip_environment(dict(os.environ))
    contenders = []
    for way in sorted(ways):
        argv = (sys.executable, "reference.py", name, *way.split())
        command = Command(argv=argv, env=env, cwd=folder, timeout_s=LONGEST_S, grace_s=2.0)
        contenders.append(Contender(name=way, command=command))
    rules, budget_s = Rules(rounds=rounds), 10 * LONGEST_S
    order = hold_contest(contenders, launcher, lambda _: None, budget_s, rules)
    return {contender.name: contender.time_s for contender in order}


def try_traps() -> Iterator[Benchmark]:
    """Try each function that goes wrong in a pool, and run the programs that are suggested."""
    traps: dict[str, dict[str, str]] = tomllib.loads(TRAPS.read_text(encoding="utf-8"))
    names = [name for name in traps if fnmatch(name, ONLY)]
    outcomes, wrong = Counter[str](), list[str]()
    for name in names:
        outcome, way, is_right = _try_trap(traps[name])
        outcomes[outcome] += 1
        print(f"        {name}: {outcome}, {way}{'' if is_right else ', WRONG'}", flush=True)
        if not is_right:
            wrong.append(name)
    told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
    yield Benchmark(
        what=f"functions that go wrong in a pool ({told}): wrong results recommended",
        value=f"{len(wrong)} of {len(names)} {' '.join(wrong)}".strip(),
        budget="0",
        kept=not wrong,
    )


def _try_trap(trap: Mapping[str, str]) -> tuple[str, str, bool]:
    """Return the outcome, the way of the program suggested, and whether that does what a loop does."""
    items, target = list(eval(trap["items"])), trap.get("target", "handle")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "work.py").write_text(trap["code"], encoding="utf-8")
        said, _ = ask_about(Path(folder), f"work.py:{target}", items, TRAP_S)
    program = said["program"]
    is_right = True
    if program:
        expected = _run_program(TRAP_LOOP.format(target=target), trap, items)
        runs = [_run_program(program, trap, items) for _ in range(RUNS)]
        is_right = runs == [expected] * RUNS
    return said["outcome"], find_way(program), is_right


def _run_program(program: str, trap: Mapping[str, str], items: Sequence[object]) -> str:
    """Run a program in a fresh folder; gives what it hands over and leaves behind."""
    with tempfile.TemporaryDirectory() as folder:
        files = {"work.py": trap["code"], "items.json": json.dumps(items)}
        for name, text in {**files, "program.py": program, "check.py": CHECK}.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        argv = [sys.executable, "check.py", trap.get("result", "result"), trap.get("kept", "None")]
        done = subprocess.run(
            argv, cwd=folder, capture_output=True, text=True, check=False, timeout=LONGEST_S
        )
    return done.stdout or done.stderr
