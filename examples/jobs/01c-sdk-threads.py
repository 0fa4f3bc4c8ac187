"""The calls in a thread pool: forty threads wait at the same time."""

from concurrent.futures import ThreadPoolExecutor

from tasks import CALLS, THREADS, call, timed


def main() -> None:
    with timed(), ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(call, CALLS))
        print(f"{len(answers)} answers")


if __name__ == "__main__":
    main()
