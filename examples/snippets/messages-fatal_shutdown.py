import subprocess
import sys
from subprocess import PIPE

PROGRAM = """
import sys, threading, time
threading.Thread(target=sys.stdin.buffer.read, daemon=True).start()
time.sleep(1)  # then the program ends, and the thread is still reading
"""
command = [sys.executable, "-c", PROGRAM]
with subprocess.Popen(command, stdin=PIPE, stderr=PIPE, text=True) as child:
    print(child.stderr.readline())
