"""Prints a time for each part of its work."""
import time

for _ in range(2):
    began_s = time.perf_counter()
    time.sleep(0.03)
    print(f"time {time.perf_counter() - began_s:.6f} s")
