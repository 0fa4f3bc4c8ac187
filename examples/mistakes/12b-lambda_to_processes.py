"""A function of the module has a name that is the same everywhere; partial() adds the settings."""

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from time import perf_counter

PRICES = [100, 250, 400]


def add_tax(percent: int, price: int) -> int:
    return price + price * percent // 100


def main() -> None:
    with ProcessPoolExecutor(mp_context=get_context("forkserver")) as pool:
        print(list(pool.map(partial(add_tax, 20), PRICES)))


if __name__ == "__main__":
    start = perf_counter()
    main()
    print(f"time {perf_counter() - start:.6f} s")
