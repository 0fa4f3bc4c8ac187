"""The numbers in a process pool, one large chunk for each process: the pool still has to start."""

from concurrent.futures import ProcessPoolExecutor

from tasks import CARDS, PROCESSES, WORKERS, is_valid, timed


def main() -> None:
    chunk = len(CARDS) // WORKERS + 1
    with timed(), ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        valid = sum(pool.map(is_valid, CARDS, chunksize=chunk))
        print(f"{len(CARDS)} card numbers, {valid} valid")


if __name__ == "__main__":
    main()
