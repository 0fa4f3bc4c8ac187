"""Made-up trees of /proc and /sys."""

from pathlib import Path

CPUS = "sys/devices/system/cpu"


def write(root: Path, files: dict[str, str]) -> None:
    """Write each text into the file of that name below ``root``."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
