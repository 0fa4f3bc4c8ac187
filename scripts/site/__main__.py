"""The command line behind the make targets: ``python -m scripts.site measure|site|…``.

Each command imports what it needs when it runs: measuring should not wait for matplotlib, nor
Ctrl-C for what is imported.
"""

import sys

try:
    import os
    import shlex
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from contextlib import suppress
    from importlib import import_module
    from pathlib import Path

    from scripts.site.output import DEFAULT, ForeignFolder, SearchError, describe_refusal
    from scripts.site.signals import Ended, end_in_order
except KeyboardInterrupt:  # importing takes long enough for a change of mind
    sys.exit(130)

Command = Callable[[Namespace], int]


def main() -> int:
    """Run one command; return its exit status."""
    end_in_order()
    try:
        chosen = _read_arguments()
        return _run(COMMANDS[chosen.command][0], chosen)
    except BrokenPipeError:  # nobody reads on; nor should Python try to write when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Ended as ended:
        if sys.argv[1:2] == ["mine"]:  # which keeps nothing, and has said so once it began
            return ended.status
        with suppress(OSError):  # the terminal may be gone
            print("Stopped. What was measured is kept; the next run goes on from here.", flush=True)
        return ended.status


def _read_arguments() -> Namespace:
    parser = ArgumentParser(prog="python -m scripts.site")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, purpose) in COMMANDS.items():
        command = commands.add_parser(name, help=purpose)
        command.add_argument(
            "--site", default=os.environ.get("SITE", DEFAULT), help="the folder of the built site"
        )
        if name == "merge":
            command.add_argument(
                "folders", nargs="*", help="where results files are, or such files"
            )
    chosen = parser.parse_args()
    chosen.folder = Path(chosen.site)
    return chosen


def _run(command: Command, chosen: Namespace) -> int:
    from scripts.harness.output import defuse
    from scripts.site.offline import NoSite
    from scripts.site.study.pipeline import PROBLEMS

    try:
        return command(chosen)
    except BrokenPipeError:
        raise
    except (*PROBLEMS, ForeignFolder, NoSite, SearchError) as error:
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
        from scripts.site.contributed.send import tell_kept

        if kept := tell_kept(settings.results, measured.machine.id):
            print(kept)
    return 0


def _run_mine(_: Namespace) -> int:
    from scripts.harness.mine import run_mine

    status = run_mine(shlex.split(os.environ.get("DO", "--help")))
    if status == 0:
        print("\n`make site MEASURE=0` shows it on a page of its own: SITE/en/mine/.")
    return status


def _pack(chosen: Namespace) -> int:
    from scripts.site.offline import pack_site

    print(f"The whole site is in {pack_site(chosen.folder)}: unpack it, open index.html.")
    return 0


def _call(module: str, function: str, *given: str) -> Command:
    """Make a command that imports a module and calls its function with the options ``given``."""

    def command(chosen: Namespace) -> int:
        target = getattr(import_module(f"scripts.site.{module}"), function)
        return int(target(*(getattr(chosen, name) for name in given)) or 0)

    return command


COMMANDS: dict[str, tuple[Command, str]] = {
    "measure": (_measure, "measure what has no valid record"),
    "mine": (_run_mine, "compare the programs, or try the function, that DO names"),
    "site": (_call("build", "build_site", "site"), "measure, and build every language"),
    "merge": (
        _call("contributed.merge", "run_merge", "folders"),
        "check results files from elsewhere and put them under RESULTS",
    ),
    "contribute": (
        _call("contributed.send", "run_contribute"),
        "check the records of this machine and say how to send them",
    ),
    "root": (_call("build", "finish", "site"), "finish the site after the languages are built"),
    "check": (_call("check", "run_checks", "folder"), "language parity, results files, links"),
    "parity": (_call("check", "refresh_notes"), "note that both languages of every page agree"),
    "reviewed": (_call("check", "note_claims"), "note that every claim has been read as it is"),
    "addresses": (
        _call("check", "refresh_notes", "folder"),
        "list new permanent addresses, those of charts too",
    ),
    "offline": (_pack, "the built site as one archive that needs no server"),
    "screenshot": (
        _call("browser", "take_screenshot", "folder"),
        "the picture in the README, of the built site",
    ),
}

if __name__ == "__main__":
    sys.exit(main())
