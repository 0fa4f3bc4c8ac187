"""Read the same numbers from a list and from an array in a forked child, and see what it copied."""

from array import array
from multiprocessing import get_context
from pathlib import Path

COUNT = 1_000_000


def measure_private_kib() -> int:
    """Return how much memory this process has written to and shares with no other."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty"))


def read(name: str, numbers: list[int] | array[int]) -> None:
    before_kib = measure_private_kib()
    sum(numbers)
    copied = measure_private_kib() - before_kib > COUNT * 8 / 1024
    print(f"{name}: {'copied by reading' if copied else 'still shared'}", flush=True)


def main() -> None:
    numbers = list(range(COUNT))
    fork = get_context("fork")
    for name, data in {"list": numbers, "array": array("q", numbers)}.items():
        child = fork.Process(target=read, args=(name, data))
        child.start()
        child.join()


if __name__ == "__main__":
    main()
