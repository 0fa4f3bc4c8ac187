from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock

in_step = Barrier(2)


def insist(first, second):
    for _ in range(100):
        with first:
            in_step.wait()
            got_both = second.acquire(blocking=False)
            in_step.wait()
        if got_both:
            second.release()
            return "got both"
    return "100 attempts, never both"


mine, yours = Lock(), Lock()
with ThreadPoolExecutor(2) as pool:
    polite = [pool.submit(insist, mine, yours), pool.submit(insist, yours, mine)]
    print([future.result() for future in polite])
