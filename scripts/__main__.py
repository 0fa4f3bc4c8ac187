"""The command line behind the make targets: ``python -m scripts measure|site|…``.

Each command imports what it needs when it runs: measuring should not wait for matplotlib, nor
Ctrl-C for what is imported.
"""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from scripts.output import DEFAULT, ForeignFolder
from scripts.signals import Ended, end_in_order


def main() -> int:
    """Run one command; gives the exit status."""
    parser = ArgumentParser(prog="python -m scripts")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, purpose) in COMMANDS.items():
        command = commands.add_parser(name, help=purpose)
        command.add_argument(
            "--site", default=os.environ.get("SITE", DEFAULT), help="the folder of the built site"
        )
        if name == "merge":
            command.add_argument(
                "folders", nargs="+", help="where results files are, or such files"
            )
    chosen = parser.parse_args()
    end_in_order()
    try:
        return _run(COMMANDS[chosen.command][0], chosen)
    except BrokenPipeError:  # nobody reads on; nor should Python try to write when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Ended as ended:
        with suppress(OSError):  # the terminal may be gone
            print("Stopped. What was measured is kept; the next run goes on from here.", flush=True)
        return ended.status


def _run(command: Callable[[Namespace], int], chosen: Namespace) -> int:
    from scripts.offline import NoSite
    from scripts.page.search import SearchError
    from scripts.pipeline import PROBLEMS

    try:
        return command(chosen)
    except BrokenPipeError:
        raise
    except (*PROBLEMS, ForeignFolder, NoSite, SearchError) as error:
        print(error, file=sys.stderr)
    except OSError as error:
        print(_describe(error), file=sys.stderr)
    return 2


def _describe(error: OSError) -> str:
    """What the system refused, and where: not every error knows its file."""
    reason = error.strerror or str(error)
    if error.filename is None:
        return f"{reason} (while records, pages or temporary files were written)"
    return f"{error.filename}: {reason}"


def _measure(_: Namespace) -> int:
    from scripts.pipeline import measure_everything
    from scripts.settings import read_settings

    settings = read_settings(os.environ)
    measured = measure_everything(settings)
    if not settings.machine:
        from scripts.contribute import tell_kept

        if kept := tell_kept(settings.results, measured.machine.id):
            print(kept)
    return 0


def _contribute(_: Namespace) -> int:
    from scripts.contribute import run_contribute

    return run_contribute()


def _build(chosen: Namespace) -> int:
    from scripts.build import build_site

    return build_site(chosen.site)


def _finish(chosen: Namespace) -> int:
    from scripts.build import finish

    return finish(chosen.site)


def _merge(chosen: Namespace) -> int:
    from scripts.merge import run_merge

    return run_merge(chosen.folders)


def _check(chosen: Namespace) -> int:
    from scripts.check import run_checks

    return run_checks(Path(chosen.site))


def _refresh_parity(_: Namespace) -> int:
    from scripts.check import refresh_notes

    refresh_notes()
    return 0


def _list_addresses(chosen: Namespace) -> int:
    from scripts.check import refresh_notes

    refresh_notes(Path(chosen.site))
    return 0


def _pack(chosen: Namespace) -> int:
    from scripts.offline import pack_site

    print(f"The whole site is in {pack_site(Path(chosen.site))}: unpack it, open index.html.")
    return 0


def _take_screenshot(chosen: Namespace) -> int:
    from scripts.screenshot import take_screenshot

    take_screenshot(Path(chosen.site), "en/matrix/#answer", Path("docs/screenshot.png"))
    return 0


def _draw_architecture(_: Namespace) -> int:
    from scripts.architecture import write_architecture

    write_architecture()
    return 0


def _bench(_: Namespace) -> int:
    from scripts.bench import run_bench

    return run_bench()


COMMANDS = {
    "measure": (_measure, "measure what has no valid record"),
    "site": (_build, "measure, and build every language"),
    "merge": (_merge, "check results files from elsewhere and put them under RESULTS"),
    "contribute": (_contribute, "check the records of this machine and say how to send them"),
    "root": (_finish, "finish the site after the languages are built"),
    "check": (_check, "language parity, results files, links"),
    "parity": (_refresh_parity, "note that both languages of every page agree"),
    "addresses": (_list_addresses, "list new permanent addresses, those of charts too"),
    "offline": (_pack, "the built site as one archive that needs no server"),
    "screenshot": (_take_screenshot, "the picture in the README, of the built site"),
    "architecture": (_draw_architecture, "the picture in ARCHITECTURE.md, of the imports"),
    "bench": (_bench, "our own speed, accuracy, tests and page budgets"),
}

if __name__ == "__main__":
    sys.exit(main())
