"""An engine that says the pid of its launcher and runs a Python with the arguments: ``engine.py ARGV…``."""

import os
import sys
from pathlib import Path

from poolwise.process import Command, Launcher

with Launcher() as launcher:
    print(launcher.pid, flush=True)
    argv = (sys.executable, *sys.argv[1:])
    launcher.run(Command(argv=argv, env=os.environ, cwd=Path.cwd()))
