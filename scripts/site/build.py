"""Build the whole site: measure, build every language, write what stands above them.

The languages are built by MkDocs alone, side by side: whoever runs it and then the root step by
hand gets the same. Both share what was read and judged before they part.
"""

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

from scripts.harness.output import defuse
from scripts.harness.paths import CACHE
from scripts.harness.run import report, take_turn
from scripts.site.declare.texts import list_languages
from scripts.site.page.context import check_all, list_machines, list_printed, refresh
from scripts.site.page.failures import tell_failures
from scripts.site.page.hooks import build_language, check_build
from scripts.site.page.root import finish_site
from scripts.site.settings import claim_folder, read_settings
from scripts.site.study.pipeline import measure_everything

NEXT = ".next"  # in the folder of the site: where languages are while they are built


def build_site(name: str) -> int:
    """Measure what is missing and build every language into the folder ``name``.

    The exit status is 1 if a page or a program has failed; the site is written nevertheless.
    """
    site = claim_folder(name)
    settings = read_settings(os.environ)
    # The pages show what there is: they measure nothing again, and take no turn at measuring.
    os.environ |= {"FRESH": "0", "MEASURE": "0"}
    refresh()
    check_build()
    pipeline = measure_everything(settings, rest=False)
    if pipeline.lacks_timelines():  # nobody waits for what nothing compares
        with take_turn(CACHE), leave_no_part(site):
            complete = build_languages(site, told=False)
            finish_site(site)
        if complete:
            report(f"{name}/ has what is compared; the rest follows. {_tell_address(name)}")
    pipeline.measure(compared=False)
    pipeline.watch()
    with take_turn(CACHE), leave_no_part(site):
        return finish(name, complete=build_languages(site))


@contextmanager
def leave_no_part(site: Path) -> Iterator[None]:
    """Remove what was written of a site that cannot be: all of it, unless there was one before."""
    was_there = (site / "index.html").exists()
    try:
        yield
    except OSError:
        shutil.rmtree(site / NEXT if was_there else site, ignore_errors=True)
        raise


def build_languages(site: Path, *, told: bool = True) -> bool:
    """Build every language with MkDocs, side by side; false if one has complained.

    They share the judged records and what snippets print. A reader sees the old pages until the new ones are whole.
    ``told`` prints the messages of MkDocs.

    Raises:
        OSError: they cannot be written; MkDocs has said why, and is heard.
    """
    refresh()
    check_all()
    list_machines()
    list_printed()
    shutil.rmtree(site / NEXT, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="build-") as folder:
        logs = {language: Path(folder) / language for language in list_languages()}
        builds = [_start(language, site / NEXT, log) for language, log in logs.items()]
        try:
            for build in builds:
                build.join()
        finally:
            for build in builds:
                build.terminate()  # does nothing to those that have ended
            for build in builds:  # of which none is left when this is stopped, too
                build.join()
            is_refused = any(build.exitcode == os.EX_IOERR for build in builds)
            for log in logs.values() if told or is_refused else ():
                print(defuse(log.read_text(encoding="utf-8", errors="replace")), file=sys.stderr)
    if is_refused:
        raise OSError(errno.EIO, "its pages cannot be written", str(site))
    for built in (site / NEXT).glob("*"):
        shutil.rmtree(site / built.name, ignore_errors=True)
        built.rename(site / built.name)
    shutil.rmtree(site / NEXT, ignore_errors=True)
    return not any(build.exitcode for build in builds)


def finish(name: str, *, complete: bool = True) -> int:
    """Write the root of a site and say where it is, or that something has failed; return the exit status.

    ``complete`` says whether its languages, in the folder ``name``, are as they should be.
    """
    finish_site(Path(name))
    if tell_failures() or not complete:
        print(f"The build has failed, as told above; {name}/ has what came of it.", file=sys.stderr)
        return 1
    print(f"The site is in {name}/. {_tell_address(name)}")
    return 0


def _tell_address(name: str) -> str:
    return f"To look at it: python3 -m http.server --directory {name}"


def _start(language: str, site: Path, log: Path) -> BaseProcess:
    log.touch()  # it is read also if the build is ended before it says anything
    forks = sys.platform == "linux"  # elsewhere not every library outlives it
    make = get_context("fork").Process if forks else get_context("spawn").Process
    build = make(target=build_language, args=(language, site / language, log))
    build.start()
    return build
