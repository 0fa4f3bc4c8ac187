"""A process is told the name of a function, not its code, and a lambda has no name to tell."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

PRICES = [100, 250, 400]


def main() -> None:
    percent = 20
    with ProcessPoolExecutor(mp_context=get_context("forkserver")) as pool:
        print(list(pool.map(lambda price: price + price * percent // 100, PRICES)))


if __name__ == "__main__":
    main()
