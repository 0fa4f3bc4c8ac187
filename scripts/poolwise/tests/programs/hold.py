"""Holds memory: ``hold.py MEGABYTES PROCESSES``, so many of its own in each forked child."""

import os
import sys
import time

megabytes, processes = int(sys.argv[1]), int(sys.argv[2])
ready, tell = os.pipe()
pids = []
for _ in range(processes):
    pids.append(os.fork())
    if pids[-1] == 0:
        memory = bytearray(megabytes * 10**6)
        memory[::4096] = b"x" * len(memory[::4096])
        os.write(tell, b".")
        time.sleep(60)
told = 0
while told < processes:
    told += len(os.read(ready, processes))
time.sleep(0.2)
for pid in pids:
    os.kill(pid, 9)
    os.waitpid(pid, 0)
