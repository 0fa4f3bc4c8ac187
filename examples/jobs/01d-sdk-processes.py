"""The calls in a process pool: only as many wait at once as there are cores."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, TASKS, WORKERS, call, timed


def main() -> None:
    with timed(), ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        answers = list(pool.map(call, range(TASKS)))
        print(f"{len(answers)} answers")


if __name__ == "__main__":
    main()
