"""Several large JSON texts in a pool of threads: with the GIL only one is written at a time."""

from concurrent.futures import ThreadPoolExecutor

from tasks import SIZES, describe, serialize, set_collector, timed


def main() -> None:
    set_collector()
    with ThreadPoolExecutor() as pool, timed():
        lengths = list(pool.map(serialize, SIZES))
        print(describe(lengths))


if __name__ == "__main__":
    main()
