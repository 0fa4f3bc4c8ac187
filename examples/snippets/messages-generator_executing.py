import time
from concurrent.futures import ThreadPoolExecutor


def number_pages():
    for number in range(2):
        time.sleep(1)  # the other thread asks meanwhile
        yield number


pages = number_pages()
with ThreadPoolExecutor(2) as pool:
    calls = [pool.submit(next, pages) for _ in range(2)]
for call in calls:
    if error := call.exception():
        print(f"{type(error).__name__}: {error}")
