from concurrent.futures import ThreadPoolExecutor
from time import perf_counter


def add_squares(count):
    return sum(n * n for n in range(count))


counts = [2_000_000] * 4
start = perf_counter()
sums = [add_squares(count) for count in counts]
print(f"one after another: {perf_counter() - start:.1f} s")

start = perf_counter()
with ThreadPoolExecutor(4) as pool:
    sums = list(pool.map(add_squares, counts))
print(f"in four threads: {perf_counter() - start:.1f} s")
