import time
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

room = BoundedSemaphore(100)


def submit(pool, function, *args):
    room.acquire()  # waits until one of a hundred places is free
    try:
        future = pool.submit(function, *args)
    except BaseException:  # a pool that is shut or broken takes nothing: give the place back
        room.release()
        raise
    future.add_done_callback(lambda _: room.release())
    return future


if __name__ == "__main__":
    with ThreadPoolExecutor(4) as pool:
        futures = [submit(pool, time.sleep, 0.001) for _ in range(500)]
        print("not done yet:", sum(not future.done() for future in futures), "of", len(futures))
