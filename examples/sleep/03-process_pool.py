"""Many waits in a pool of one process per core: all the others queue, and nobody computes."""

from concurrent.futures import ProcessPoolExecutor

from tasks import LATENCIES, PROCESSES, count_cores, timed, wait


def main() -> None:
    with timed(), ProcessPoolExecutor(count_cores(), mp_context=PROCESSES) as pool:
        waits = list(pool.map(wait, LATENCIES))
        print(f"{len(waits)} waits")


if __name__ == "__main__":
    main()
