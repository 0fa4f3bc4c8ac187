import time
from contextlib import contextmanager


@contextmanager
def busy(name):
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{name}: busy {cpu / wall:.0%} of the time")


with busy("waiting"):
    time.sleep(0.5)
with busy("computing"):
    sum(n * n for n in range(5_000_000))
