"""A share of the pieces for each process: in parallel whatever the C function does with the GIL."""

from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, SHARES, WORKERS, describe, handle_share, timed


def main() -> None:
    with timed(), ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        print(describe(sum(pool.map(handle_share, SHARES), Counter())))


if __name__ == "__main__":
    main()
