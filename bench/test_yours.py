"""A program that loses work is found out, and one that does what a loop does isn't."""

import tomllib

import pytest

from bench import yours

PROGRAM = """\
import json
from concurrent.futures import {pool}
from pathlib import Path

from work import handle


def main():
    items = json.loads(Path("items.json").read_text(encoding="utf-8"))
    with {pool}(2) as pool:
        for result in pool.map(handle, items):
            print(result)


if __name__ == "__main__":
    main()
"""
TRAPS = tomllib.loads(yours.TRAPS.read_text(encoding="utf-8"))


def run(trap: dict[str, str], program: str) -> str:
    return yours._run_program(program, trap, list(eval(trap["items"])))


@pytest.mark.parametrize(
    ("name", "pool", "is_right"),
    [
        ("totals", "ThreadPoolExecutor", True),
        ("totals", "ProcessPoolExecutor", False),
        ("hidden-page", "ThreadPoolExecutor", False),
        ("item-changed", "ProcessPoolExecutor", False),
    ],
)
@pytest.mark.slow
def test_what_a_pool_changes_or_loses_is_seen(name: str, pool: str, is_right: bool) -> None:
    loop = run(TRAPS[name], yours.TRAP_LOOP.format(target="handle"))
    assert loop.startswith("([")
    assert (run(TRAPS[name], PROGRAM.format(pool=pool)) == loop) == is_right


def test_there_are_forty_traps_and_twenty_functions() -> None:
    assert len(TRAPS) == 40
    assert [len(yours.ASKED[kind]) for kind in ("wait", "compute")] == [10, 10]


def test_the_way_of_a_program_is_read_from_it() -> None:
    assert yours.find_way(PROGRAM.format(pool="ThreadPoolExecutor")) == "ThreadPoolExecutor 2"
    assert yours.find_way("import asyncio\n\nAT_ONCE = 8\n") == "Semaphore 8"
    assert yours.find_way("") == "loop 1"
