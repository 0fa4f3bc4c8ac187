import threading
from concurrent.futures import ThreadPoolExecutor

numbers = threading.serialize_iterator(n * n for n in range(1000))


def add_up(_):
    return sum(numbers)  # of what the other threads have not taken


with ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(add_up, range(4))))
