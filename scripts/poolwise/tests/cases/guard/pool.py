"""A script as it is written first: a pool and its output at the top, without a guard."""

from concurrent.futures import ProcessPoolExecutor


def handle(number):
    return sum(range(number))


with ProcessPoolExecutor(2) as pool:
    print(sum(pool.map(handle, [1000] * 8)))
