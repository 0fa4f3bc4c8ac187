"""A process forked while a thread holds a lock gets a copy of the lock that is never released."""

from multiprocessing import get_context
from threading import Event, Lock, Thread
from time import sleep

lock, writing = Lock(), Event()


def write() -> None:
    with lock:
        writing.set()
        sleep(0.4)  # the disk is slow


if __name__ == "__main__":
    Thread(target=write).start()
    writing.wait()
    child = get_context("fork").Process(target=write)
    child.start()
    print("a child has started while the thread was writing", flush=True)
    child.join()
    print("the child has written too")
