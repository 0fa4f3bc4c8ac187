"""Count the words of many texts in processes. Fix it: the total is always zero."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

total = 0


def count(text):
    global total
    total += len(text.split())


def count_all(texts):
    """Return the number of words of all texts."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for _ in pool.map(count, texts):
            pass
    return total


if __name__ == "__main__":
    print("words:", count_all(["one two three", "four five", "six"]))
