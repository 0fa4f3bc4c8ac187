"""NumPy on one core: one array after the other."""

import numpy as np

ARRAYS = [np.random.default_rng(seed).random(1_000_000) for seed in range(16)]  # put your own here


def compute(array: np.ndarray) -> float:
    """Work on a whole array at a time: put your own here."""
    return float(np.median(np.sort(array, kind="stable")))


def main() -> None:
    medians = [compute(array) for array in ARRAYS]
    print(f"{len(medians)} arrays, the first median {medians[0]:.3f}")


if __name__ == "__main__":
    main()
