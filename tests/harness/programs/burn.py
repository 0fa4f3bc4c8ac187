"""Burns CPU time: ``burn.py SECONDS PROCESSES``, so many seconds in each of so many processes."""

import os
import sys
import time


def burn(seconds):
    while time.process_time() < seconds:
        pass


seconds, processes = float(sys.argv[1]), int(sys.argv[2])
if processes == 1:
    burn(seconds)
else:
    for _ in range(processes):
        if os.fork() == 0:
            burn(seconds)
            os._exit(0)
    for _ in range(processes):
        os.wait()
