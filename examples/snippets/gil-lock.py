from concurrent.futures import ThreadPoolExecutor
from threading import Lock

stock = 1
guard = Lock()


def buy(_):
    global stock
    with guard:
        if stock > 0:
            stock -= 1
            return True
    return False


with ThreadPoolExecutor(8) as pool:
    print("sold:", sum(pool.map(buy, range(100))), "left:", stock)
