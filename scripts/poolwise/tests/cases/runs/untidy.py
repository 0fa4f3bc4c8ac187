"""Leaves a child behind that holds its output."""
import subprocess
import sys

subprocess.Popen([sys.executable, "-c", "import time; time.sleep(47.25)"])
print("ready")
