from threading import Thread

thread = Thread(target=print, args=("once",))
thread.start()
thread.join()
try:
    thread.start()
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")
