"""A pool of 32 threads: they wait at the same time, and with the GIL they compute in turn."""

from concurrent.futures import ThreadPoolExecutor

from tasks import count_workers, make_data, timed, work


def main() -> None:
    data = make_data()
    with timed(), ThreadPoolExecutor(count_workers(32)) as pool:
        results = list(pool.map(work, data))
        print(f"{len(results)} results")


if __name__ == "__main__":
    main()
