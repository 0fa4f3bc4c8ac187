"""A new interpreter has locks of its own, and none of them is taken."""

from multiprocessing import get_context
from threading import Event, Lock, Thread
from time import perf_counter, sleep

lock, writing = Lock(), Event()


def write() -> None:
    with lock:
        writing.set()
        sleep(1)  # the disk is slow


if __name__ == "__main__":
    start = perf_counter()
    Thread(target=write).start()
    writing.wait()
    child = get_context("spawn").Process(target=write)
    child.start()
    print("a child has started while the thread was writing", flush=True)
    child.join()
    print("the child has written too")
    print(f"time {perf_counter() - start:.6f} s")
