"""Shrink the pictures of several folders: first list them all, then shrink them."""

from concurrent.futures import ThreadPoolExecutor
from itertools import chain


def shrink_all(list_pictures, shrink, folders):
    """Shrink every picture, at most four at a time; return all of them, folder by folder."""
    with ThreadPoolExecutor(4) as pool:
        pictures = chain.from_iterable(pool.map(list_pictures, folders))
        return list(pool.map(shrink, pictures))
