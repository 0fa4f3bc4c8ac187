"""A lock of multiprocessing, handed to the child, is one and the same in both processes."""

from multiprocessing import get_context
from multiprocessing.synchronize import Event, Lock
from threading import Thread
from time import perf_counter, sleep

SPAWN = get_context("spawn")  # a new interpreter: no lock is copied as taken


def write(lock: Lock, writing: Event) -> None:
    with lock:
        writing.set()
        sleep(0.4)  # the disk is slow


if __name__ == "__main__":
    start = perf_counter()
    lock, writing = SPAWN.Lock(), SPAWN.Event()
    Thread(target=write, args=(lock, writing)).start()
    writing.wait()
    child = SPAWN.Process(target=write, args=(lock, writing))
    child.start()
    print("a child has started while the thread was writing", flush=True)
    child.join()
    print("the child has written too")
    print(f"time {perf_counter() - start:.6f} s")
