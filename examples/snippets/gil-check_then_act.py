import time
from concurrent.futures import ThreadPoolExecutor

stock = 1


def buy(_):
    global stock
    if stock > 0:  # the check
        time.sleep(0.01)  # a switch here is unlikely; this makes it certain
        stock -= 1  # the act: somebody has bought in between
        return True
    return False


with ThreadPoolExecutor(8) as pool:
    print("sold:", sum(pool.map(buy, range(8))), "left:", stock)
