from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock

mine, yours = Lock(), Lock()
both_hold_one = Barrier(2)


def take(first, second):
    with first:
        both_hold_one.wait()  # makes sure that it happens
        if second.acquire(timeout=0.2):  # without the timeout: for ever
            second.release()
            return "got both"
        return "waited in vain"


with ThreadPoolExecutor(2) as pool:
    crossed = [pool.submit(take, mine, yours), pool.submit(take, yours, mine)]
    print([future.result() for future in crossed])
