"""Fifteen sums, one after another: a plain loop, the measure of all the others."""

from tasks import NUMBERS, calc, summary, timed


def main() -> None:
    with timed():
        sums = [calc(x) for x in NUMBERS]
        print(summary(sums))


if __name__ == "__main__":
    main()
