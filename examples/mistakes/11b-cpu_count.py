"""Only the cores that this program may use are counted: a worker for each."""

import os
from multiprocessing import active_children, get_context
from time import perf_counter


def main() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # as in a container with one core
    workers = len(os.sched_getaffinity(0))  # since Python 3.13 also os.process_cpu_count()
    with get_context("forkserver").Pool(workers) as pool:
        print(f"sum {sum(pool.map(abs, range(-100, 0)))}")
        crowded = len(active_children()) > len(os.sched_getaffinity(0))
    print("more workers than cores" if crowded else "a core for each worker")


if __name__ == "__main__":
    start = perf_counter()
    main()
    print(f"time {perf_counter() - start:.6f} s")
