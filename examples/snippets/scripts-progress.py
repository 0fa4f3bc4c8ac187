import time
from concurrent.futures import ThreadPoolExecutor, as_completed

from tqdm import tqdm

SECONDS = [1.2, 0.3, 0.6, 0.9]  # the first request is the slowest
answered = []


def fetch(seconds: float) -> float:
    time.sleep(seconds)  # the request
    answered.append(seconds)
    return seconds


if __name__ == "__main__":
    with ThreadPoolExecutor(4) as pool:
        results = pool.map(fetch, SECONDS)
        for _ in tqdm(results, total=len(SECONDS), disable=None):  # no bar without a terminal
            print("map: the bar moves; done:", len(answered))

        answered.clear()
        futures = [pool.submit(fetch, seconds) for seconds in SECONDS]
        for _ in tqdm(as_completed(futures), total=len(futures), disable=None):
            print("as_completed: the bar moves; done:", len(answered))

        answered.clear()
        futures = [pool.submit(fetch, seconds) for seconds in SECONDS]
        for done, _ in enumerate(as_completed(futures), 1):
            print(f"without tqdm: {done} of {len(futures)}")
