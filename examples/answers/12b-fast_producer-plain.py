"""A fast producer and a slow consumer: a queue that takes whatever comes."""

from collections.abc import Iterator
from queue import Queue
from threading import Thread
from time import sleep

QUEUE: Queue[bytes | None] = Queue()
CONSUMERS = 4
STORED: list[int] = []


def read() -> Iterator[bytes]:
    """Give a thousand records of 100 kB, as fast as they come: put your own here."""
    for number in range(1000):
        yield bytes([number % 256]) * 100_000


def store(record: bytes) -> None:
    """Take a while, as a database does: put your own here."""
    sleep(0.002)
    STORED.append(len(record))


def consume() -> None:
    while (record := QUEUE.get()) is not None:
        store(record)


def main() -> None:
    threads = [Thread(target=consume) for _ in range(CONSUMERS)]
    for thread in threads:
        thread.start()
    for record in read():
        QUEUE.put(record)
    for _ in threads:
        QUEUE.put(None)  # one for each: there is no more
    for thread in threads:
        thread.join()
    print(f"{len(STORED)} records, {sum(STORED)} bytes")


if __name__ == "__main__":
    main()
