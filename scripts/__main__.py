"""The command line behind the make targets: ``python -m scripts measure|root|…``.

Each command imports what it needs when it runs: measuring should not wait for matplotlib.
"""

import argparse
import os
import sys
from pathlib import Path

from scripts.pipeline import PROBLEMS, Pipeline
from scripts.settings import read_settings


def main() -> int:
    """Run one command; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m scripts")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, purpose) in COMMANDS.items():
        command = commands.add_parser(name, help=purpose)
        command.add_argument("--site", type=Path, default=Path("site"), help="the built site")
    chosen = parser.parse_args()
    try:
        return COMMANDS[chosen.command][0](chosen.site)
    except PROBLEMS as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped. What was measured is kept; the next run goes on from here.")
        return 130


def _measure(_: Path) -> int:
    pipeline = Pipeline(read_settings(os.environ), retry=True)
    if pipeline.profile != pipeline.settings.profile:
        there, asked = pipeline.machine.id, pipeline.settings.profile
        print(f"{there} has no records of PROFILE={asked}; showing {pipeline.profile}")
    pipeline.measure(tuple(pipeline.experiments))
    return 0


def _finish(site: Path) -> int:
    from scripts.page.root import finish_site

    finish_site(site)
    print(f"The site is in {site}/. To look at it: python3 -m http.server --directory {site}")
    return 0


def _check(site: Path) -> int:
    from scripts.check import run_checks

    return run_checks(site)


def _refresh_parity(_: Path) -> int:
    from scripts.check import refresh_siblings

    refresh_siblings()
    return 0


def _take_screenshot(site: Path) -> int:
    from scripts.screenshot import take_screenshot

    take_screenshot(site, "en/matrix/#table", Path("docs/screenshot.png"))
    return 0


def _draw_architecture(_: Path) -> int:
    from scripts.architecture import write_architecture

    write_architecture()
    return 0


def _bench(_: Path) -> int:
    from scripts.bench import run_bench

    return run_bench()


COMMANDS = {
    "measure": (_measure, "measure what has no valid record"),
    "root": (_finish, "finish the site after both languages are built"),
    "check": (_check, "language parity, results files, links"),
    "parity": (_refresh_parity, "note that both languages of every page agree"),
    "screenshot": (_take_screenshot, "the picture in the README, of the built site"),
    "architecture": (_draw_architecture, "the picture in ARCHITECTURE.md, of the imports"),
    "bench": (_bench, "our own speed, accuracy and page budgets"),
}

if __name__ == "__main__":
    sys.exit(main())
