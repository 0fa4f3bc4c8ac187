"""Many waits, a pool with a given number of processes: they overlap as they would in threads."""

from concurrent.futures import ProcessPoolExecutor

from tasks import LATENCIES, PROCESSES, WORKERS, timed, wait


def main() -> None:
    ready = PROCESSES.Barrier(WORKERS).wait  # none begins before all of them are there
    with ProcessPoolExecutor(WORKERS, mp_context=PROCESSES, initializer=ready) as pool:
        list(pool.map(int, range(WORKERS)))  # they start before the clock does
        with timed():
            waits = list(pool.map(wait, LATENCIES))
            print(f"{len(waits)} waits")


if __name__ == "__main__":
    main()
