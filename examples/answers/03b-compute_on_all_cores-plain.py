"""Compute in a plain loop, on one core."""

ITEMS = range(0, 600_000, 3_000)  # put your own here


def compute(start: int) -> int:
    """Count the primes among 3,000 numbers: put your own work here."""
    found = 0
    for number in range(max(start, 2), start + 3_000):
        found += all(number % divisor for divisor in range(2, int(number**0.5) + 1))
    return found


def main() -> None:
    results = [compute(item) for item in ITEMS]
    print(f"{len(results)} results, sum {sum(results)}")


if __name__ == "__main__":
    main()
