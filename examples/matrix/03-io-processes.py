"""Thirty pages, a process for each: the waits overlap too, but every process needs a client."""

from multiprocessing.connection import Connection

from tasks import PROCESSES, TIMEOUT_S, page_urls, timed
from urllib3 import PoolManager


def fetch(client: PoolManager, url: str) -> int:
    response = client.request("GET", url, timeout=TIMEOUT_S)
    if response.status != 200:
        raise OSError(f"{url} answered {response.status}")
    return len(response.data)


def work(url: str, sender: Connection) -> None:
    with PoolManager() as client:
        sender.send(fetch(client, url))


def main() -> None:
    PROCESSES.set_forkserver_preload(["__main__", "urllib3"])  # imported once, not by each worker
    with timed():
        receivers, processes = [], []
        for url in page_urls(30):
            receiver, sender = PROCESSES.Pipe(duplex=False)
            process = PROCESSES.Process(target=work, args=(url, sender))
            process.start()
            sender.close()  # now only the child can write, and its death ends the pipe
            receivers.append(receiver)
            processes.append(process)
        sizes = [receiver.recv() for receiver in receivers]  # EOFError if a child failed
        for process in processes:
            process.join()
        print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    main()
