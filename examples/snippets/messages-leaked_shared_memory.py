import subprocess
import sys

PROGRAM = """
from multiprocessing.shared_memory import SharedMemory
block = SharedMemory(create=True, size=1024)
block.close()
# the cure, once, when no process needs it any more: block.unlink()
"""
command = [sys.executable, "-c", PROGRAM]
print(subprocess.run(command, check=True, capture_output=True, text=True).stderr)
