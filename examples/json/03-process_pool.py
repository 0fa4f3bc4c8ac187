"""Several large JSON texts in a pool of one process per core: every core writes its own."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, SIZES, count_cores, describe, serialize, set_collector, timed


def main() -> None:
    set_collector()
    cores = count_cores()
    ready = PROCESSES.Barrier(cores).wait  # none begins before all of them are there
    with ProcessPoolExecutor(cores, mp_context=PROCESSES, initializer=ready) as pool:
        list(pool.map(int, range(cores)))  # they start before the clock does
        with timed():
            lengths = list(pool.map(serialize, SIZES))
            print(describe(lengths))


if __name__ == "__main__":
    main()
