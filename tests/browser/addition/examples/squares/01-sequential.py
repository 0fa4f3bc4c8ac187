"""Sums of squares, one after another."""

from tasks import LIMITS, add_squares, describe, timed


def main() -> None:
    with timed():
        print(describe([add_squares(limit) for limit in LIMITS]))


if __name__ == "__main__":
    main()
