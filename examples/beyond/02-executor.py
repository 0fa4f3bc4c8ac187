"""A process pool of the standard library that sends each task by a pipe."""

from concurrent.futures import ProcessPoolExecutor
from time import perf_counter

from tasks import LENGTHS, PROCESSES, WORKERS, compute, timed, wake_up


def main() -> None:
    begun = perf_counter()
    with ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        list(pool.map(wake_up, range(WORKERS)))
        with timed(begun):
            results = list(pool.map(compute, LENGTHS))
            print(f"{len(results)} tasks computed")


if __name__ == "__main__":
    main()
