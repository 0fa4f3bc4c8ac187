"""The simulations in a process pool: each process has its own GIL and its own core."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, SEEDS, WORKERS, simulate, timed


def main() -> None:
    with timed(), ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        distances = list(pool.map(simulate, SEEDS))
        print(f"{len(distances)} simulations, farthest {max(distances)}")


if __name__ == "__main__":
    main()
