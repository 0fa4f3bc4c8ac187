"""Twenty-one Fibonacci numbers, a thread for each: with the GIL only one computes at a time."""

from threading import Thread

from tasks import NUMBERS, timed


def fib(n: int) -> int:
    return 1 if n <= 2 else fib(n - 1) + fib(n - 2)  # slow on purpose


def main() -> None:
    values: list[int] = []

    def work(number: int) -> None:
        values.append(fib(number))

    with timed():
        threads = [Thread(target=work, args=(number,)) for number in NUMBERS]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if len(values) < len(threads):  # the thread itself has only printed its exception
            raise RuntimeError(f"{len(threads) - len(values)} of {len(threads)} threads failed")
        print(f"{len(values)} Fibonacci numbers, sum {sum(values)}")


if __name__ == "__main__":
    main()
