from concurrent.futures import ProcessPoolExecutor
from threading import Lock

account = {"lock": Lock(), "balance": 100}

if __name__ == "__main__":
    with ProcessPoolExecutor(1) as pool:
        error = pool.submit(len, account).exception()
        print(f"{type(error).__name__}: {error}")
        print(pool.submit(abs, account["balance"]).result())  # the cure: only the data
