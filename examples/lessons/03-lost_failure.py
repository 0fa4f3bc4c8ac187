"""Save files, three at a time. Fix it: it loses a failure, and the order."""

from concurrent.futures import ThreadPoolExecutor
from time import sleep

AT_ONCE = 3


def save_all(save, names):
    """Return the sizes in the order of the names; raise what a save raises."""
    sizes = []

    def save_one(name):
        sizes.append(save(name))

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for name in names:
            pool.submit(save_one, name)
    return sizes


def save_to_backup(name):
    """Return the size of the saved file: a byte per letter of its name."""
    sleep(len(name) / 100)
    if name == "song.mp3":
        raise OSError(f"no room for {name}")
    return len(name)


if __name__ == "__main__":
    names = ["holiday_photo.jpg", "song.mp3", "letter.txt", "film.mp4"]
    sizes = save_all(save_to_backup, names)
    print(len(names), "files saved, their sizes:", sizes)
