from concurrent.futures import ThreadPoolExecutor, as_completed
from time import sleep


def work(wait):
    sleep(wait)
    return wait


waits = [0.3, 0.1, 0.2]
with ThreadPoolExecutor(3) as pool:
    print(list(pool.map(work, waits)))  # as given
    futures = [pool.submit(work, wait) for wait in waits]
    print([future.result() for future in as_completed(futures)])  # as ready
