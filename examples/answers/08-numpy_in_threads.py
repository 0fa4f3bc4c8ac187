"""NumPy on all cores: most long calls release the GIL, and threads pickle nothing."""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is imported: the pool has a thread per core

from concurrent.futures import ThreadPoolExecutor

import numpy as np

ARRAYS = [np.random.default_rng(seed).random(1_000_000) for seed in range(16)]  # put your own here
CORES = getattr(os, "process_cpu_count", os.cpu_count)()  # Python 3.13 counts those it may use


def compute(array: np.ndarray) -> float:
    """Work on a whole array at a time: put your own here."""
    return float(np.median(np.sort(array, kind="stable")))


def main() -> None:
    with ThreadPoolExecutor(CORES) as pool:
        medians = list(pool.map(compute, ARRAYS))
    print(f"{len(medians)} arrays, the first median {medians[0]:.3f}")


if __name__ == "__main__":
    main()
