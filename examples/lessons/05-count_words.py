"""Count words in worker processes. Fix it: the total is always 0."""

from concurrent.futures import ProcessPoolExecutor

total = 0


def count(text):
    """Add the words of a text to the total."""
    global total
    total += len(text.split())


def count_all(texts):
    """Return the number of words of all texts."""
    with ProcessPoolExecutor(2) as pool:
        for _ in pool.map(count, texts):
            pass  # raises if a task has failed
    return total


if __name__ == "__main__":
    print("words, 6 in all:", count_all(["one two three", "four five", "six"]))
