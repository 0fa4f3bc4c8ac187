"""Compute in a loop, to compare with the threads: run this with python3.14 and with python3.14t."""

import sys

ITEMS = range(0, 450_000, 3_000)  # put your own here


def compute(start: int) -> int:
    """Count the primes among 3,000 numbers: put your own work here."""
    found = 0
    for number in range(max(start, 2), start + 3_000):
        found += all(number % divisor for divisor in range(2, int(number**0.5) + 1))
    return found


def main() -> None:
    results = [compute(item) for item in ITEMS]
    has_gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"{len(results)} results, sum {sum(results)}, {'with' if has_gil else 'without'} the GIL")


if __name__ == "__main__":
    main()
