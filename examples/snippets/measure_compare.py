"""Ask which of two programs is faster: both add the same numbers."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
LOOP = """\
total = 0
for number in range(1_000_000):
    total += number
print(total)
"""
BUILT_IN = "print(sum(range(1_000_000)))\n"

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "loop.py").write_text(LOOP)
        Path(folder, "built_in.py").write_text(BUILT_IN)
        subprocess.run(
            [
                *(sys.executable, "-m", "poolwise", "compare"),
                *("loop.py", "built_in.py", "--same-output", "--budget", "8"),
            ],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            check=True,
        )
