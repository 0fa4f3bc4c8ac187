"""Tasks to a pool of processes one by one: each is a message there and a message back."""

from concurrent.futures import ProcessPoolExecutor

from tasks import LENGTHS, PROCESSES, WORKERS, compute, timed


def main() -> None:
    with ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        list(pool.map(compute, WORKERS * [1]))  # the processes run before the clock does
        with timed():
            results = list(pool.map(compute, LENGTHS))
            print(f"{len(results)} tasks computed")


if __name__ == "__main__":
    main()
