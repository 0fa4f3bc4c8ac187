"""The command line behind the make targets: ``python -m scripts.site measure|site|…``.

Each command imports what it needs when it runs: measuring should not wait for matplotlib, nor
Ctrl-C for what is imported.
"""

import os
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from scripts.site.signals import Ended, end_in_order

Command = Callable[[Namespace], int]


def main() -> int:
    """Run one command; return its exit status."""
    end_in_order()
    parser = ArgumentParser("python -m scripts.site", epilog="`make help` says what each does.")
    parser.add_argument("command", choices=COMMANDS)
    help_ = "for merge: results files, or folders with results files"
    parser.add_argument("folders", nargs="*", help=help_)
    try:
        chosen = parser.parse_args()
        chosen.site = os.environ.get("SITE", "site")
        chosen.folder = Path(chosen.site)
        return _run(COMMANDS[chosen.command], chosen)
    except BrokenPipeError:  # nobody reads on; nor should Python try to write when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Ended as ended:
        if sys.argv[1:2] == ["mine"]:  # which keeps nothing, and has said so once it began
            return ended.status
        with suppress(OSError):  # the terminal may be gone
            print("Stopped. What was measured is kept; the next run goes on from here.", flush=True)
        return ended.status


def _run(command: Command, chosen: Namespace) -> int:
    from poolwise.output import defuse
    from scripts.site.settings import SearchError, describe_refusal
    from scripts.site.study.pipeline import PROBLEMS

    try:
        return command(chosen)
    except BrokenPipeError:
        raise
    except (*PROBLEMS, SearchError) as error:
        print(defuse(str(error)), file=sys.stderr)
    except OSError as error:
        print(defuse(describe_refusal(error)), file=sys.stderr)
    return 2


def _measure(_: Namespace) -> int:
    from scripts.site.settings import read_settings
    from scripts.site.study.pipeline import measure_everything

    settings = read_settings(os.environ)
    measured = measure_everything(settings)
    if not settings.machine:
        from scripts.site.contributed import tell_kept

        if kept := tell_kept(settings.results, measured.machine.id):
            print(kept)
    return 0


def _run_mine(_: Namespace) -> int:
    from poolwise.__main__ import main as run_tool
    from scripts.site.paths import MINE

    arguments = shlex.split(os.environ.get("DO", "--help"))
    if arguments[:1] in (["compare"], ["try"]):
        arguments += ["--export-json", str(MINE)]
    status = run_tool(arguments)
    if status in (0, 3) and str(MINE) in arguments:  # an answer, or why there is none
        print("\n`make site MEASURE=0` shows it on its own page: SITE/en/mine/.")
    return status


def _call(module: str, function: str, *options: str) -> Command:
    """Make a command that imports a module and calls its function with ``options``."""

    def command(chosen: Namespace) -> int:
        target = getattr(import_module(f"scripts.site.{module}"), function)
        return int(target(*(getattr(chosen, name) for name in options)) or 0)

    return command


COMMANDS: dict[str, Command] = {
    "measure": _measure,
    "releases": _call("study.releases", "measure_releases"),
    "mine": _run_mine,
    "site": _call("build", "build_site", "site"),
    "merge": _call("contributed", "run_merge", "folders"),
    "contribute": _call("contributed", "run_contribute"),
    "root": _call("build", "finish", "site"),
    "check": _call("check", "run_checks", "folder"),
    "parity": _call("check", "refresh_notes"),
    "reviewed": _call("check", "note_claims"),
    "offline": _call("offline", "pack_site", "folder"),
}

if __name__ == "__main__":
    sys.exit(main())
