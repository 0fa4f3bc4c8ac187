from queue import Queue, ShutDown
from threading import Thread

orders, done = Queue(maxsize=2), Queue()  # put() waits when two are waiting


def work():
    try:
        while True:
            done.put(orders.get() ** 2)
    except ShutDown:  # closed, and nothing is left in it
        pass


workers = [Thread(target=work) for _ in range(3)]
for worker in workers:
    worker.start()
for number in range(10):
    orders.put(number)
orders.shutdown()
for worker in workers:
    worker.join()
print(sorted(done.get() for _ in range(done.qsize())))
