import subprocess
import sys

PROGRAM = "import ctypes; ctypes.string_at(0)  # reads memory that isn't there"
command = [sys.executable, "-X", "faulthandler", "-c", PROGRAM]
done = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)
print(*done.stderr.splitlines()[:5], sep="\n")
print("exit code", done.returncode)
