"""Say how much of its time a task computes. Fix it: it misses what other threads compute."""

from threading import Thread
from time import perf_counter, sleep, thread_time


def measure_share(task):
    """Return the CPU time of a task as a share of its wall time: 0 waits, 1 computes."""
    wall_s, cpu_s = perf_counter(), thread_time()
    task()
    return (thread_time() - cpu_s) / (perf_counter() - wall_s)


def wait():
    sleep(0.5)


def compute_in_a_thread():
    thread = Thread(target=sum, args=(range(20_000_000),))
    thread.start()
    thread.join()


if __name__ == "__main__":
    print(f"waiting: {measure_share(wait):.0%}")
    print(f"computing in another thread: {measure_share(compute_in_a_thread):.0%}")
