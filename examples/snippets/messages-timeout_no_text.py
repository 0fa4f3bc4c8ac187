from concurrent.futures import ThreadPoolExecutor
from time import sleep

with ThreadPoolExecutor() as pool:
    future = pool.submit(sleep, 0.1)
    try:
        future.result(timeout=0.01)
    except TimeoutError as error:
        print(f"{type(error).__name__}: {error}")
    print(future.result(), "comes after all: the call went on")
