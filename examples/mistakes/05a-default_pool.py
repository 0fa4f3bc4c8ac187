"""The default size of a pool follows the cores, not the waits: forty of them have to queue."""

from concurrent.futures import ThreadPoolExecutor
from time import perf_counter, sleep


def ask(_: int) -> tuple[float, float]:
    began = perf_counter()
    sleep(0.15)  # waits for an answer
    return began, perf_counter()


def main() -> None:
    with ThreadPoolExecutor() as pool:
        began, ended = zip(*pool.map(ask, range(40)), strict=True)
    rounds = "one round" if max(began) < min(ended) else "several rounds"
    print(f"40 waits took {rounds}")


if __name__ == "__main__":
    start = perf_counter()
    main()
    print(f"time {perf_counter() - start:.6f} s")
