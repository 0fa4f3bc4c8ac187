"""NumPy beside pools: the arrays are sent to processes."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np


def load() -> list[np.ndarray]:
    """Make the arrays: put your own here."""
    return [np.random.default_rng(seed).random(1_000_000) for seed in range(8)]


def compute(array: np.ndarray) -> float:
    """Work on a whole array at a time: put your own here."""
    return float(np.median(np.sort(array)))


def main() -> None:
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        medians = list(pool.map(compute, load()))
    print(f"{len(medians)} arrays, the first median {medians[0]:.3f}")


if __name__ == "__main__":
    main()
