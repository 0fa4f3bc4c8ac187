"""The calls in a thread pool: a thread that waits needs no core, so forty wait at once."""

from concurrent.futures import ThreadPoolExecutor

from tasks import TASKS, WORKERS, call, timed


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        answers = list(pool.map(call, range(TASKS)))
        print(f"{len(answers)} answers")


if __name__ == "__main__":
    main()
