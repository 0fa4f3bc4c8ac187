"""Originals: the figures that an article printed, from ``originals.csv`` of an experiment."""

import csv
from pathlib import Path


def read_originals(folder: Path) -> list[dict[str, str]]:
    """The article's rows; empty if the experiment has none."""
    path = folder / "originals.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
