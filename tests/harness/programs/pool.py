"""A process pool, whose helpers (forkserver, resource tracker) outlive the program by a moment."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

if __name__ == "__main__":
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        print(sum(pool.map(abs, [-1, -2, -3])))
