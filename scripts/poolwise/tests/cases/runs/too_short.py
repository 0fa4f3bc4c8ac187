"""Says that it took next to no time."""
import time

time.sleep(0.15)
print("time 0.000010 s")
