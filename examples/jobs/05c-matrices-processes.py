"""A block of rows for each process: the blocks and the whole second matrix are pickled and sent."""

from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

import numpy as np
from matrices import describe, make_matrices
from tasks import PROCESSES, WORKERS, timed


def main() -> None:
    left, right = make_matrices()
    with timed(), ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        blocks = pool.map(np.matmul, np.array_split(left, WORKERS), repeat(right))
        product = np.concatenate(list(blocks))
        print(describe(product))


if __name__ == "__main__":
    main()
