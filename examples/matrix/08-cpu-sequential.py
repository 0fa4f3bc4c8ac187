"""Twenty-one Fibonacci numbers, one after another, on one core."""

from tasks import NUMBERS, timed


def fib(n: int) -> int:
    return 1 if n <= 2 else fib(n - 1) + fib(n - 2)  # slow on purpose


def main() -> None:
    with timed():
        values = [fib(number) for number in NUMBERS]
        print(f"{len(values)} Fibonacci numbers, sum {sum(values)}")


if __name__ == "__main__":
    main()
