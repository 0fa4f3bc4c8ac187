"""NumPy beside pools: its functions release the GIL, so threads use all cores and copy nothing."""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy comes: the pool has a thread for each core

from concurrent.futures import ThreadPoolExecutor

import numpy as np

ARRAYS = [np.random.default_rng(seed).random(1_000_000) for seed in range(8)]  # put your own here
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def compute(array: np.ndarray) -> float:
    """Work on a whole array at a time: put your own here."""
    return float(np.median(np.sort(array)))


def main() -> None:
    with ThreadPoolExecutor(CORES) as pool:
        medians = list(pool.map(compute, ARRAYS))
    print(f"{len(medians)} arrays, the first median {medians[0]:.3f}")


if __name__ == "__main__":
    main()
