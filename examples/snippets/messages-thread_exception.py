import threading
from concurrent.futures import ThreadPoolExecutor


def work():
    return 1 / 0


thread = threading.Thread(target=work)
thread.start()
thread.join()  # raises nothing
with ThreadPoolExecutor() as pool:
    print("the pool tells:", pool.submit(work).exception())  # the cure
