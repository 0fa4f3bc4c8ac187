from threading import Lock

lock = Lock()
try:
    lock.release()
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")
with lock:  # the cure: takes and releases it, whatever happens
    pass
