"""The numbers in a process pool: each is pickled and sent, and its result comes back the same way."""

from concurrent.futures import ProcessPoolExecutor

from tasks import CARDS, PROCESSES, WORKERS, is_valid, timed


def main() -> None:
    with timed(), ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        valid = sum(pool.map(is_valid, CARDS))
        print(f"{len(CARDS)} card numbers, {valid} valid")


if __name__ == "__main__":
    main()
