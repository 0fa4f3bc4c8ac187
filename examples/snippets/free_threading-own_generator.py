from concurrent.futures import ThreadPoolExecutor
from random import Random


def heads(seed):
    toss = Random(seed).random  # a generator of its own
    return sum(toss() < 0.5 for _ in range(100_000))


with ThreadPoolExecutor() as pool:
    print(sum(pool.map(heads, range(8))))
