from concurrent.futures import ThreadPoolExecutor
from time import perf_counter, sleep


def load(number):
    sleep(0.1)  # waits for the server
    return f"page {number}"


start = perf_counter()
with ThreadPoolExecutor(4) as pool:
    pages = list(pool.map(load, range(12)))
print(", ".join(pages[:3]), "…", pages[-1])
print(f"{perf_counter() - start:.1f} s")
