"""A process for each core: they compute at the same time, and all data travels to them and back."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, count_cores, count_workers, make_data, timed, work

WORKERS = count_workers(count_cores())


def main() -> None:
    data = make_data()
    # Four portions for each process, as multiprocessing.Pool has them.
    portion = max(1, len(data) // (4 * WORKERS))
    with timed(), ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        results = list(pool.map(work, data, chunksize=portion))
        print(f"{len(results)} results")


if __name__ == "__main__":
    main()
