"""Hash 2,000 files in a thread pool, a hundred files a task."""

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from itertools import batched
from pathlib import Path
from tempfile import TemporaryDirectory


def find_files(folder):
    """Yield the paths of all files in `folder` and the folders below it."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from find_files(entry.path)
            elif entry.is_file():
                yield entry.path


def hash_files(paths):
    return {path: hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in paths}


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        for number in range(2000):
            Path(folder, f"{number}.txt").write_bytes(bytes(4000 + number % 5))
        digests = {}
        with ThreadPoolExecutor(4) as pool:
            for batch in pool.map(hash_files, batched(find_files(folder), 100)):
                digests |= batch
        print(f"{len(digests):,} files, {len(set(digests.values()))} different contents")
