"""Disk images in temporary files: TASKS is how many (16), MEBIBYTES how large each is (40)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tasks import read_setting

IMAGES = read_setting("TASKS", 16)
BYTES = read_setting("MEBIBYTES", 40) * 1024**2


@contextmanager
def disk_images() -> Iterator[list[Path]]:
    """Create empty disk images, which take no space on the disk, and remove them at the end."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.img" for number in range(IMAGES)]
        for path in paths:
            with path.open("wb") as file:
                file.truncate(BYTES)
        yield paths
