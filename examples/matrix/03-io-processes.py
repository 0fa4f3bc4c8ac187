"""Thirty pages, a process for each: the waits overlap too, but every process needs a client."""

from multiprocessing.queues import SimpleQueue

from tasks import PROCESSES, fetch, page_urls, timed
from urllib3 import PoolManager


def work(url: str, sizes: "SimpleQueue[int]") -> None:
    with PoolManager() as client:
        sizes.put(fetch(client, url))


def main() -> None:
    PROCESSES.set_forkserver_preload(["urllib3"])  # imported once, not by each worker
    with timed():
        urls = page_urls(30)
        queue = PROCESSES.SimpleQueue()
        processes = [PROCESSES.Process(target=work, args=(url, queue)) for url in urls]
        for process in processes:
            process.start()
        sizes = [queue.get() for _ in processes]
        for process in processes:
            process.join()
        print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    main()
