"""Many waits, a pool with a given number of threads: so many overlap, the others queue."""

from concurrent.futures import ThreadPoolExecutor

from tasks import LATENCIES, WORKERS, timed, wait


def main() -> None:
    with timed(), ThreadPoolExecutor(max_workers=WORKERS) as pool:
        waits = list(pool.map(wait, LATENCIES))
        print(f"{len(waits)} waits")


if __name__ == "__main__":
    main()
