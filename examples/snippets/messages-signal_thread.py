import signal
from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor() as pool:
    error = pool.submit(signal.signal, signal.SIGTERM, signal.SIG_DFL).exception()
    print(f"{type(error).__name__}: {error}")
