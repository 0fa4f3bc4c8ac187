import os
import threading

stop = threading.Event()
threading.Thread(target=stop.wait).start()
if os.fork() == 0:
    os._exit(0)
os.wait()
stop.set()
