"""Links of the built site, fragments included, without leaving the machine."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.measure.process import Command, Launcher

LYCHEE = Path(sys.executable).with_name("lychee")


def find_broken_links(site: Path) -> Iterator[str]:
    """A line for every link that leads nowhere; lychee looks for them."""
    argv = (
        str(LYCHEE),
        *("--offline", "--include-fragments", "--no-progress", "--format", "compact"),
        *("--index-files", "index.html", "--root-dir", str(site.resolve())),
        str(site),
    )
    with Launcher() as launcher:
        outcome = launcher.run(Command(argv=argv, env=os.environ, cwd=Path.cwd()))
    if not outcome.ok:
        lines = (outcome.stdout + outcome.stderr).splitlines()
        yield from (line for line in lines if line.strip())
