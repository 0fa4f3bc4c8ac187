"""The numbers in a thread pool: each costs a future, a place in the queue and a change of threads."""

from concurrent.futures import ThreadPoolExecutor

from tasks import CARDS, WORKERS, is_valid, timed


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        valid = sum(pool.map(is_valid, CARDS))
        print(f"{len(CARDS)} card numbers, {valid} valid")


if __name__ == "__main__":
    main()
