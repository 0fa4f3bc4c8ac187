import os
from concurrent.futures import ProcessPoolExecutor

if __name__ == "__main__":
    with ProcessPoolExecutor(1) as pool:
        error = pool.submit(os._exit, 1).exception()  # ends as if the system had killed it
        print(f"{type(error).__name__}: {error}")
