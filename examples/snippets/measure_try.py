"""Ask what a function would gain from threads or processes: here one that mostly waits."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
OPTIONS = ["--budget", "8", "--interpreters", "current", "--items", "pages.json"]


def handle(page: int) -> int:
    time.sleep(0.02)  # stands for a request
    return page


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "pages.json").write_text(json.dumps(list(range(40))))
        subprocess.run(
            [sys.executable, "-m", "poolwise", "try", f"{__file__}:handle", *OPTIONS],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            stderr=subprocess.DEVNULL,
            check=True,
        )
