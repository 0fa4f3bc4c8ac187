"""A child that isn't a copy makes its own pool, with its own threads, when it imports the module."""

from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

from tasks import timed

pool = ThreadPoolExecutor(max_workers=1)


def work() -> None:
    print("the child asks its pool", flush=True)
    print(f"and gets {pool.submit(pow, 2, 10).result()}")


if __name__ == "__main__":
    with timed():
        pool.submit(pow, 2, 9).result()  # from now on the pool has its thread
        child = get_context("forkserver").Process(target=work)
        child.start()
        child.join()
