"""The other process pool of the standard library: its map makes chunks on its own."""

from time import perf_counter

from tasks import LENGTHS, PROCESSES, WORKERS, compute, timed, wake_up


def main() -> None:
    begun = perf_counter()
    with PROCESSES.Pool(WORKERS) as pool:
        pool.map(wake_up, range(WORKERS))
        with timed(begun):
            results = pool.map(compute, LENGTHS)
            print(f"{len(results)} tasks computed")


if __name__ == "__main__":
    main()
