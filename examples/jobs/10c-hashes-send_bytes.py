"""The contents to a process pool: the parent reads, pickles and sends every byte."""

from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path

from images import disk_images
from tasks import PROCESSES, WORKERS, timed


def hash_bytes(data: bytes) -> str:
    return sha256(data).hexdigest()


def main() -> None:
    with disk_images() as paths, timed():
        with ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
            hashes = list(pool.map(hash_bytes, map(Path.read_bytes, paths)))
        print(f"{len(hashes)} hashes, the last {hashes[-1][:8]}")


if __name__ == "__main__":
    main()
