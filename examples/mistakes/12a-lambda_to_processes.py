"""A process gets the name of a function, not its code, and a lambda has no name to look up."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

PRICES = [100, 250, 400]


def main() -> None:
    percent = 20
    with ProcessPoolExecutor(mp_context=get_context("forkserver")) as pool:
        # In one chunk: after several that cannot be sent, older Pythons may hang (gh-125451).
        taxed = pool.map(lambda price: price + price * percent // 100, PRICES, chunksize=3)
        print(list(taxed))


if __name__ == "__main__":
    main()
