"""A fast producer and a slow consumer: a queue without a limit never makes the producer wait."""

from queue import Queue
from threading import Thread
from time import sleep

RECORDS = (bytes([number % 256]) * 100_000 for number in range(1000))  # put your own here
CONSUMERS = 4
QUEUE: Queue[bytes] = Queue()
STORED: list[int] = []
ERRORS: list[Exception] = []


def store(record: bytes) -> None:
    sleep(0.002)  # like a database: put your own work here
    STORED.append(len(record))


def consume() -> None:
    while True:
        record = QUEUE.get()
        try:
            store(record)
        except Exception as error:  # without this, an error ends the consumer
            ERRORS.append(error)
        QUEUE.task_done()


if __name__ == "__main__":
    for _ in range(CONSUMERS):
        Thread(target=consume, daemon=True).start()
    for record in RECORDS:
        QUEUE.put(record)
    QUEUE.join()  # until every record is done
    print(f"{len(STORED)} records, {sum(STORED)} bytes, {len(ERRORS)} errors")
