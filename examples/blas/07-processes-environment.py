"""A share of the arrays for each process, and each BLAS on one thread, by the environment variable."""

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, SHARES, WORKERS, describe, handle_share, timed, wake_up


def main() -> None:
    # BLAS reads it when it is loaded: in this process it is, in those to come it will be.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        list(pool.map(wake_up, range(WORKERS)))
        with timed():
            print(describe(sum(pool.map(handle_share, SHARES), Counter())))


if __name__ == "__main__":
    main()
