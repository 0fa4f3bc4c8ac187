"""Shrink the pictures of several folders. Fix it: it hangs. (You may have to kill it.)"""

from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from time import sleep


def shrink_all(list_pictures, shrink, folders):
    """Shrink every picture, at most four at a time; return all of them, folder by folder."""
    with ThreadPoolExecutor(4) as pool:

        def shrink_folder(folder):
            return list(pool.map(shrink, list_pictures(folder)))

        return list(chain.from_iterable(pool.map(shrink_folder, folders)))


def list_pictures(folder):
    sleep(0.1)  # the disk
    return [f"{folder}/{number}.jpg" for number in range(3)]


def shrink(picture):
    sleep(0.1)  # a library that releases the GIL
    return f"small {picture}"


if __name__ == "__main__":
    print(shrink_all(list_pictures, shrink, ["spring", "summer", "autumn", "winter"]))
