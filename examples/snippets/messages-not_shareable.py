import threading
from concurrent import interpreters

queue = interpreters.create_queue()
try:
    queue.put(threading.Lock())
except interpreters.NotShareableError as error:
    print(f"NotShareableError: {error}")
queue.put([1, 2, 3])  # the cure: send data
print(queue.get())
