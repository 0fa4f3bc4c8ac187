"""Holds memory once: ``share.py MEGABYTES PROCESSES``, its own, which forked children see too."""

import os
import sys
import time

megabytes, processes = int(sys.argv[1]), int(sys.argv[2])
memory = b"x" * (megabytes * 10**6)
for _ in range(processes):
    if os.fork() == 0:
        time.sleep(0.3)
        os._exit(0)
for _ in range(processes):
    os.wait()
