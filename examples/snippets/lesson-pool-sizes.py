from concurrent.futures import ThreadPoolExecutor
from time import perf_counter, sleep

server = ThreadPoolExecutor(4)  # answers four requests at a time


def load(number):
    server.submit(sleep, 0.1).result()  # waits for the answer
    return f"page {number}"


for threads in 1, 4, 12, 100:
    start = perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        pages = list(pool.map(load, range(12)))
    print(f"threads: {threads}, {perf_counter() - start:.1f} s")
