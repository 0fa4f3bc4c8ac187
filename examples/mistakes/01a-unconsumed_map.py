"""The results of map() are never read, so its exceptions are lost."""

from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

PRICES = ["19.90", "5.00", "n/a", "7.25"]
saved: list[float] = []


def save(price: str) -> None:
    saved.append(float(price))


def main() -> None:
    with ThreadPoolExecutor() as pool:
        pool.map(save, PRICES)
    print(f"done without errors, {len(saved)} of {len(PRICES)} prices saved")


if __name__ == "__main__":
    start = perf_counter()
    main()
    print(f"time {perf_counter() - start:.6f} s")
