import time
from threading import Event, Thread


def work(stop):
    while not stop.wait(timeout=0.1):
        print("still here")
    print("asked to stop")


stop = Event()
worker = Thread(target=work, args=(stop,))
worker.start()
time.sleep(0.25)
stop.set()
worker.join()
