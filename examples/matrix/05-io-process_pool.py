"""Thirty pages, a pool of one process per core: too few workers for tasks that only wait."""

from concurrent.futures import ProcessPoolExecutor
from functools import cache

from tasks import PROCESSES, TIMEOUT_S, count_cores, page_urls, timed
from urllib3 import PoolManager

get_client = cache(PoolManager)  # made when a process first asks for it, so each has its own


def fetch(url: str) -> int:
    response = get_client().request("GET", url, timeout=TIMEOUT_S)
    if response.status != 200:
        raise OSError(f"{url} answered {response.status}")
    return len(response.data)


def main() -> None:
    PROCESSES.set_forkserver_preload(["__main__", "urllib3"])  # imported once, not by each worker
    cores = count_cores()
    ready = PROCESSES.Barrier(cores).wait  # none begins before all of them are there
    with ProcessPoolExecutor(cores, mp_context=PROCESSES, initializer=ready) as pool:
        list(pool.map(int, range(cores)))  # they start before the clock does
        with timed():
            sizes = list(pool.map(fetch, page_urls(30)))
            print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    main()
