"""Problems: what a check finds in a file."""

from pathlib import Path
from typing import NamedTuple


class Problem(NamedTuple):
    """Where something is wrong, ``line`` from 1, and what."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"
