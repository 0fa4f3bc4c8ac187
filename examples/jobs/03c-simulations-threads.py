"""The simulations in a thread pool: with the GIL one thread computes at a time."""

from concurrent.futures import ThreadPoolExecutor

from tasks import SEEDS, WORKERS, simulate, timed


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        distances = list(pool.map(simulate, SEEDS))
        print(f"{len(distances)} simulations, farthest {max(distances)}")


if __name__ == "__main__":
    main()
