"""Run a process pool as a notebook cell does: the code has no file."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

FUNCTION = "def double(number):\n    return 2 * number"
CELL = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
{function}
with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
    print(list(pool.map(double, [1, 2, 3])))
"""


def run_cell(function, folder):
    command = [sys.executable, "-c", CELL.format(function=function)]
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True)
    lines = (done.stdout + done.stderr).splitlines()
    return "\n".join(line for line in lines if line.startswith(("[", "AttributeError")))


with TemporaryDirectory() as folder:
    print("In a cell:", run_cell(FUNCTION, folder))
    Path(folder, "work.py").write_text(FUNCTION)  # %%writefile work.py
    print("In work.py:", run_cell("from work import double", folder))
