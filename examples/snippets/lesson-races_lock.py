import time
from threading import Lock, Thread

lock = Lock()


def take_half_locked(onions):
    global stock
    left = stock - onions
    time.sleep(0.1)
    with lock:
        stock = left


def take_locked(onions):
    global stock
    with lock:
        left = stock - onions
        time.sleep(0.1)
        stock = left


for take in (take_half_locked, take_locked):
    stock = 10
    cooks = [Thread(target=take, args=(4,)) for _ in range(2)]
    for cook in cooks:
        cook.start()
    for cook in cooks:
        cook.join()
    print(f"{take.__name__}: {stock}")
