"""joblib with loky's processes: it times the tasks and sends short ones in batches."""

from time import perf_counter

from joblib import Parallel, delayed
from tasks import LENGTHS, WORKERS, compute, timed, wake_up


def main() -> None:
    begun = perf_counter()
    with Parallel(n_jobs=WORKERS) as parallel:
        parallel(delayed(wake_up)(number) for number in range(WORKERS))
        with timed(begun):
            results = parallel(delayed(compute)(length) for length in LENGTHS)
            print(f"{len(results)} tasks computed")


if __name__ == "__main__":
    main()
