"""Many waits in a pool of one process per core: the rest queue, although no core computes."""

from concurrent.futures import ProcessPoolExecutor

from tasks import LATENCIES, PROCESSES, count_cores, timed, wait


def main() -> None:
    cores = count_cores()
    ready = PROCESSES.Barrier(cores).wait  # none begins before all of them are there
    with ProcessPoolExecutor(cores, mp_context=PROCESSES, initializer=ready) as pool:
        list(pool.map(int, range(cores)))  # they start before the clock does
        with timed():
            waits = list(pool.map(wait, LATENCIES))
            print(f"{len(waits)} waits")


if __name__ == "__main__":
    main()
