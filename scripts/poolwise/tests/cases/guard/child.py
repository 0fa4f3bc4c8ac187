"""A child that is begun at import and outlives what began it."""

import subprocess
import sys
import time

child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(47.25)"])


def handle(number):
    time.sleep(0.002)
    return number * 2
