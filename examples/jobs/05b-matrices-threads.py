"""A block of rows for each thread: each call would use all cores on its own."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from matrices import describe, make_matrices
from tasks import WORKERS, timed


def main() -> None:
    left, right = make_matrices()

    def multiply(rows: np.ndarray) -> np.ndarray:
        return rows @ right

    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        blocks = pool.map(multiply, np.array_split(left, WORKERS))
        product = np.concatenate(list(blocks))
        print(describe(product))


if __name__ == "__main__":
    main()
