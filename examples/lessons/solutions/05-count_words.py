"""Count words in worker processes: each returns its number, we add them up."""

from concurrent.futures import ProcessPoolExecutor


def count(text):
    """Return the number of words of a text."""
    return len(text.split())


def count_all(texts):
    """Return the number of words of all texts."""
    with ProcessPoolExecutor(2) as pool:
        return sum(pool.map(count, texts))


if __name__ == "__main__":
    print("words, 6 in all:", count_all(["one two three", "four five", "six"]))
