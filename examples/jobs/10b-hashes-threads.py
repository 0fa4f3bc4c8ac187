"""The files in a thread pool: hashlib and read() release the GIL, so all cores work."""

from concurrent.futures import ThreadPoolExecutor
from hashlib import file_digest
from pathlib import Path

from images import disk_images
from tasks import WORKERS, timed


def hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def main() -> None:
    with disk_images() as paths, timed(), ThreadPoolExecutor(WORKERS) as pool:
        hashes = list(pool.map(hash_file, paths))
        print(f"{len(hashes)} hashes, the last {hashes[-1][:8]}")


if __name__ == "__main__":
    main()
