"""Burns CPU time: ``burn.py SECONDS PROCESSES``, so many seconds in each of so many processes."""

import contextlib
import os
import sys
import time

for _ in range(int(sys.argv[2]) - 1):
    if os.fork() == 0:
        break
while time.process_time() < float(sys.argv[1]):
    pass
with contextlib.suppress(ChildProcessError):
    while True:
        os.wait()
