"""The matrices that are multiplied: TASKS is how many rows and columns each has (2000)."""

from __future__ import annotations

import numpy as np
from tasks import read_setting

SIZE = read_setting("TASKS", 2000)


def make_matrices() -> tuple[np.ndarray, np.ndarray]:
    """Two square matrices of whole numbers: their product is exact in whatever order it is added."""
    numbers = np.arange(SIZE * SIZE, dtype=float).reshape(SIZE, SIZE)
    return numbers % 7, numbers % 11


def describe(product: np.ndarray) -> str:
    """How large the product is, and a number that only the right one gives."""
    rows, columns = product.shape
    return f"{rows} rows, {columns} columns, trace {product.trace():.0f}"
