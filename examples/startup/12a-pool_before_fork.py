"""A pool of threads made before the fork: its copy in the child has no threads, and waits for them."""

from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

pool = ThreadPoolExecutor(max_workers=1)


def work() -> None:
    print("the child asks its pool", flush=True)
    print(f"and gets {pool.submit(pow, 2, 10).result()}")


if __name__ == "__main__":
    pool.submit(pow, 2, 9).result()  # from now on the pool has its thread
    child = get_context("fork").Process(target=work)
    child.start()
    child.join()
