"""Many waits in a pool that may have a thread for each: it starts one whenever none is idle."""

from concurrent.futures import ThreadPoolExecutor

from tasks import LATENCIES, TASKS, timed, wait


def main() -> None:
    with timed(), ThreadPoolExecutor(max_workers=TASKS) as pool:
        waits = list(pool.map(wait, LATENCIES))
        print(f"{len(waits)} waits")


if __name__ == "__main__":
    main()
