"""An engine that runs ``hang.py PIDS`` and has nothing else to do."""

import os
import sys
from pathlib import Path

from scripts.harness.process import Command, Launcher

program = Path(__file__).with_name("hang.py")
with Launcher() as launcher:
    launcher.run(
        Command(argv=(sys.executable, str(program), sys.argv[1]), env=os.environ, cwd=Path.cwd())
    )
