import json
import threading
import time


def heartbeat():
    while True:
        start = time.perf_counter()
        time.sleep(0.001)
        if (pause := time.perf_counter() - start) > 0.05:
            print(f"late: {pause:.3f} s")


threading.Thread(target=heartbeat, daemon=True).start()
json.dumps([0] * 5_000_000)
time.sleep(0.1)
