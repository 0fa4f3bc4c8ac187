"""A share of the pieces for each process: in parallel whatever the C function does with the GIL."""

from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, SHARES, WORKERS, describe, handle_share, timed, wake_up


def main() -> None:
    with ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        list(pool.map(wake_up, range(WORKERS)))
        with timed():
            print(describe(sum(pool.map(handle_share, SHARES), Counter())))


if __name__ == "__main__":
    main()
