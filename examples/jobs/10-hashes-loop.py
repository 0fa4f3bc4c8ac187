"""The files in a loop: one core reads and hashes."""

from hashlib import file_digest
from pathlib import Path

from images import disk_images
from tasks import timed


def hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def main() -> None:
    with disk_images() as paths, timed():
        hashes = list(map(hash_file, paths))
        print(f"{len(hashes)} hashes, the last {hashes[-1][:8]}")


if __name__ == "__main__":
    main()
