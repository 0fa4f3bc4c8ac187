"""The command line behind the make targets: ``python -m scripts measure|root|bench``."""

import argparse
import os
import sys

from scripts.measure.declaration import MalformedDeclaration
from scripts.pipeline import Pipeline
from scripts.settings import BadSetting, read_settings


def main() -> int:
    """Run one command; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m scripts", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("measure", help="measure what has no valid record")
    commands.add_parser("root", help="finish site/ after both languages are built")
    commands.add_parser("bench", help="our own speed, accuracy and page budgets")
    command = parser.parse_args().command
    try:
        match command:
            case "measure":
                return _measure()
            case "root":
                from scripts.page.root import finish_site

                finish_site()
            case "bench":
                from scripts.bench import run_bench

                return run_bench()
    except (BadSetting, MalformedDeclaration) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _measure() -> int:
    pipeline = Pipeline(settings=read_settings(os.environ), retry=True)
    try:
        pipeline.measure(tuple(pipeline.experiments))
    except KeyboardInterrupt:
        print("Stopped. What was measured is kept; the next run goes on from here.")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
