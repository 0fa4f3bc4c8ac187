import time
from threading import Thread

stock = 10


def take(onions):
    global stock
    left = stock - onions
    time.sleep(0.1)  # a switch here is unlikely; this makes it certain
    stock = left


cooks = [Thread(target=take, args=(4,)) for _ in range(2)]
for cook in cooks:
    cook.start()
for cook in cooks:
    cook.join()
print("stock:", stock)
