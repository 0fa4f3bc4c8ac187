from collections import deque
from threading import Condition, Thread

shelf, changed = deque(), Condition()


def produce():
    for number in range(5):
        with changed:
            changed.wait_for(lambda: len(shelf) < 2)  # until there is room
            shelf.append(number)
            changed.notify_all()


def consume():
    for _ in range(5):
        with changed:
            changed.wait_for(lambda: shelf)  # until there is something
            print("took", shelf.popleft())
            changed.notify_all()


threads = [Thread(target=produce), Thread(target=consume)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
