"""The calls in a process pool: as many wait at the same time as there are cores."""

from concurrent.futures import ProcessPoolExecutor

from tasks import CALLS, PROCESSES, WORKERS, call, timed


def main() -> None:
    with timed(), ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        answers = list(pool.map(call, CALLS))
        print(f"{len(answers)} answers")


if __name__ == "__main__":
    main()
