"""Many waits, a pool with a given number of processes: they overlap as they would in threads."""

from concurrent.futures import ProcessPoolExecutor

from tasks import LATENCIES, PROCESSES, WORKERS, timed, wait


def main() -> None:
    with timed(), ProcessPoolExecutor(max_workers=WORKERS, mp_context=PROCESSES) as pool:
        waits = list(pool.map(wait, LATENCIES))
        print(f"{len(waits)} waits")


if __name__ == "__main__":
    main()
