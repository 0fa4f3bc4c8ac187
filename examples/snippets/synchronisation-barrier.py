from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

WORKERS = 3
all_read = Barrier(WORKERS)
values = [1, 10, 100]


def spread(place):
    neighbours = values[place - 1] + values[(place + 1) % WORKERS]
    all_read.wait()  # nobody writes before all have read
    values[place] = neighbours


with ThreadPoolExecutor(WORKERS) as pool:
    list(pool.map(spread, range(WORKERS)))
print(values)
