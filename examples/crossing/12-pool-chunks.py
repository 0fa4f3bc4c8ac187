"""Tasks to a pool of processes in chunks, some for each process: a message holds many tasks."""

from concurrent.futures import ProcessPoolExecutor

from tasks import LENGTHS, PROCESSES, WORKERS, compute, timed

CHUNKS_EACH = 4
"""For each process; with more than one, whoever is done sooner takes more."""


def main() -> None:
    chunk = max(1, len(LENGTHS) // (WORKERS * CHUNKS_EACH))
    with ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        list(pool.map(compute, WORKERS * [1]))  # the processes run before the clock does
        with timed():
            results = list(pool.map(compute, LENGTHS, chunksize=chunk))
            print(f"{len(results)} tasks computed")


if __name__ == "__main__":
    main()
