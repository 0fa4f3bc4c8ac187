"""Leaves a grandchild: ``orphan.py SECONDS`` ends at once, the grandchild burns CPU time first."""

import os
import sys
import time

if os.fork() == 0:
    if os.fork() == 0:
        while time.process_time() < float(sys.argv[1]):
            pass
    os._exit(0)
os.wait()
