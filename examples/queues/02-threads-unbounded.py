"""One thread reads, ten store, and the queue between them takes whatever comes."""

from concurrent.futures import ThreadPoolExecutor
from queue import Queue, ShutDown

from tasks import CONSUMERS, read_records, report, store, timed


def consume(queue: Queue) -> list[int]:
    sizes = []
    try:
        while True:
            sizes.append(store(queue.get()))
    except ShutDown:  # and nothing is left
        return sizes
    except BaseException:
        queue.shutdown(immediate=True)  # nobody may wait for a failed consumer
        raise


def produce(queue: Queue) -> None:
    try:
        for record in read_records():
            queue.put(record)  # never waits
    except ShutDown:
        pass  # a consumer has failed, and its result will say why
    finally:
        queue.shutdown()


def main() -> None:
    queue = Queue()  # as long as memory lasts
    with timed(), ThreadPoolExecutor(CONSUMERS) as pool:
        consumers = [pool.submit(consume, queue) for _ in range(CONSUMERS)]
        produce(queue)
        sizes = [size for consumer in consumers for size in consumer.result()]
        print(report(sizes))


if __name__ == "__main__":
    main()
