"""Save files, at most three at once: map keeps the order, and reading its results raises failures."""

from concurrent.futures import ThreadPoolExecutor
from time import sleep

AT_ONCE = 3


def save_all(save, names):
    """Return the size of each saved file, in the order of the names; raise what a save raises."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(save, names))


def save_to_backup(name):
    """Save a file and return its size: a byte for each letter of its name."""
    sleep(len(name) / 100)
    if name == "song.mp3":
        raise OSError(f"no room for {name}")
    return len(name)


if __name__ == "__main__":
    names = ["holiday_photo.jpg", "song.mp3", "letter.txt", "film.mp4"]
    print(len(names), "files, their sizes:", save_all(save_to_backup, names))
