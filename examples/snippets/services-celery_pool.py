"""Run eight Celery tasks in a worker whose pool has four threads, without a broker to install."""

import os
import threading
from time import sleep

from celery import Celery
from celery.contrib.testing.worker import start_worker

app = Celery("shop", broker="memory://", backend="cache+memory://")


@app.task
def fetch() -> tuple[int, str]:
    sleep(0.2)  # an answer from the network
    return os.getpid(), threading.current_thread().name


if __name__ == "__main__":
    # As `celery -A shop worker --pool threads --concurrency 4` does.
    with start_worker(app, pool="threads", concurrency=4, perform_ping_check=False):
        results = [fetch.delay() for _ in range(8)]
        ran_in = [result.get(timeout=10) for result in results]
    processes, threads = zip(*ran_in, strict=True)
    print(f"{len(ran_in)} tasks, {len(set(processes))} process, {len(set(threads))} threads")
