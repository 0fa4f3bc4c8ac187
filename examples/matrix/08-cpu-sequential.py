"""Twenty-one Fibonacci numbers, one after another, on one core."""

from tasks import NUMBERS, fib, timed


def main() -> None:
    with timed():
        values = [fib(number) for number in NUMBERS]
        print(f"{len(values)} Fibonacci numbers, sum {sum(values)}")


if __name__ == "__main__":
    main()
