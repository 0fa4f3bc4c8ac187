"""Never ends, nor does its child: ``hang.py PIDS [deaf]``; deaf ones ignore SIGTERM.

Both write their pids into the file PIDS.
"""

import os
import signal
import sys
import time

if "deaf" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.fork()
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\n")
while True:
    time.sleep(1)
