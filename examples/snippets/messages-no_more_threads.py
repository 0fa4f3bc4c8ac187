import resource
import threading

stop = threading.Event()
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))  # 1 GiB, as a small container has
try:
    for _ in range(100_000):
        threading.Thread(target=stop.wait).start()
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")
stop.set()
