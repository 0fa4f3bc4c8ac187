"""Prints the time of its work."""
import time

began_s = time.perf_counter()
time.sleep(0.05)
print(f"time {time.perf_counter() - began_s:.6f} s")
