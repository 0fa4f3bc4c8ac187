"""Count the words of many texts in processes."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def count(text):
    return len(text.split())


def count_all(texts):
    """Return the number of words of all texts."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        return sum(pool.map(count, texts))


if __name__ == "__main__":
    print("words:", count_all(["one two three", "four five", "six"]))
