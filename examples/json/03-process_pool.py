"""Several large JSON texts in a pool of one process per core: every core writes its own."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, SIZES, count_cores, describe, serialize, set_collector, timed


def main() -> None:
    set_collector()
    with timed(), ProcessPoolExecutor(count_cores(), mp_context=PROCESSES) as pool:
        lengths = list(pool.map(serialize, SIZES))
        print(describe(lengths))


if __name__ == "__main__":
    main()
