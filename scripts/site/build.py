"""Build the whole site: measure, build every language, write what stands above them.

The languages are built by MkDocs alone, side by side: whoever runs it and then the root step by
hand gets the same. Both share what was read and judged before they part.
"""

import errno
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from os.path import relpath
from pathlib import Path

from poolwise.output import defuse
from poolwise.progress import Bar, report
from poolwise.run import take_turn
from poolwise.store import RecordsError
from scripts.site.declare.texts import list_languages
from scripts.site.page.context import digest_shown, list_signs, name_shown, refresh
from scripts.site.page.failures import tell_failures
from scripts.site.page.hooks import build_language, check_build
from scripts.site.page.root import finish_site
from scripts.site.paths import CACHE, ROOT
from scripts.site.settings import claim_folder, read_settings
from scripts.site.study.pipeline import SKETCH, open_measuring
from scripts.site.study.signs import keep_signs

# The language of pages that are written while measuring goes on.
FIRST_LANGUAGE = "en"
# What the pages of one language take, and of all; on two cores with nothing beside.
EARLY_PAGES_S, PAGES_S = 15.0, 30.0
# If all that follows takes longer, a site that is not there yet is shown before.
WORTH_PAGES_S = 90.0
LOGS = ROOT / "build"
NEXT = ".next"  # in the folder of the site: where languages are while they are built


def build_site(name: str) -> int:
    """Measure what is missing and build every language into the folder ``name``.

    On a machine without records the first pages are those of a sketch. The exit status is 1 if a
    page or a program has failed; the site is written nevertheless.
    """
    site = claim_folder(name)
    settings = read_settings(os.environ)
    # The pages show what there is: they measure nothing again, and take no turn at measuring.
    os.environ |= {"FRESH": "0", "MEASURE": "0"}
    refresh()
    check_build()
    pipeline = open_measuring(settings)
    pipeline.plan(early_pages_s=EARLY_PAGES_S, pages_s=PAGES_S)
    is_new = not (site / "index.html").exists()
    has_sketched = pipeline.sketch().trials > 0  # or a run that was cut off before its pages
    if has_sketched or (is_new and pipeline.find_later_s(SKETCH) > WORTH_PAGES_S):
        _show_first(name, site)
    pipeline.measure()
    pipeline.watch()
    with take_turn(CACHE), leave_no_part(site):
        complete = build_languages(site, list_languages(), pipeline.begin_pages())
        if not (settings.only or settings.interpreters):
            with suppress(RecordsError):  # where nothing can be kept, pages can be shown
                keep_signs(settings.results, name_shown(), list_signs())
        return finish(name, complete=complete, numbers=pipeline.describe_numbers())


def _show_first(name: str, site: Path) -> None:
    """Build one language while measuring goes on, and say that it is there."""
    os.environ["MEASURING"] = "1"
    with take_turn(CACHE), leave_no_part(site):
        complete = build_languages(site, [FIRST_LANGUAGE], "first pages")
        finish_site(site)
    del os.environ["MEASURING"]
    if complete:
        report(f"{name}/ has a sketch, in English; measuring goes on. {_tell_address(name)}")


@contextmanager
def leave_no_part(site: Path) -> Iterator[None]:
    """Remove what was written of a site that cannot be: all of it, unless there was one before."""
    was_there = (site / "index.html").exists()
    try:
        yield
    except OSError:
        shutil.rmtree(site / NEXT if was_there else site, ignore_errors=True)
        raise


def build_languages(site: Path, languages: Sequence[str], stage: str = "pages") -> bool:
    """Build languages with MkDocs, side by side; false if one has complained.

    They share the judged records and what snippets print. A reader sees the old pages until the new
    ones are whole. What MkDocs says is kept in a file, and told if it complains.

    Raises:
        OSError: they cannot be written; MkDocs has said why, and is heard.
    """
    refresh()
    digest_shown()  # which judges what is not kept
    shutil.rmtree(site / NEXT, ignore_errors=True)
    LOGS.mkdir(exist_ok=True)
    logs = [LOGS / f"mkdocs-{language}.log" for language in languages]
    builds = [
        _start(language, site / NEXT, log) for language, log in zip(languages, logs, strict=True)
    ]
    try:
        with Bar(stage, len(builds)) as bar:  # its thread begins after these processes
            for done, build in enumerate(builds):
                log = relpath(logs[done])
                bar.show(done, f"MkDocs writes {languages[done]}; its log is {log}")
                build.join()
    finally:
        for build in builds:
            build.terminate()  # does nothing to those that have ended
        for build in builds:  # of which none is left when this is stopped, too
            build.join()
    for build, path in zip(builds, logs, strict=True):
        if build.exitcode:
            print(defuse(path.read_text(encoding="utf-8", errors="replace")), file=sys.stderr)
    statuses = {build.exitcode for build in builds}
    if os.EX_IOERR in statuses:
        raise OSError(errno.EIO, "its pages cannot be written", str(site))
    for folder in (site / NEXT).glob("*"):
        shutil.rmtree(site / folder.name, ignore_errors=True)
        folder.rename(site / folder.name)
    shutil.rmtree(site / NEXT, ignore_errors=True)
    return statuses == {0}


def finish(name: str, *, complete: bool = True, numbers: str = "") -> int:
    """Write the root of a site and say where it is, or that something has failed; return the exit status.

    ``complete`` says whether its languages, in the folder ``name``, are as they should be, and
    ``numbers`` whose its numbers are.
    """
    with Bar("search and data", 1) as bar:
        bar.show(0, f"{name}/")
        finish_site(Path(name))
    if tell_failures() or not complete:
        print(f"The build failed, see above. {name}/ has what could be built.", file=sys.stderr)
        return 1
    print(f"{numbers}\nThe site is in {name}/. {_tell_address(name)}".lstrip())
    return 0


def _tell_address(name: str) -> str:
    return f"To look at it: python3 -m http.server --directory {name}"


def _start(language: str, site: Path, log: Path) -> BaseProcess:
    log.write_bytes(b"")  # it is read also if the build is ended before it says anything
    # Elsewhere not every library outlives a fork.
    make = get_context("fork" if sys.platform == "linux" else "spawn").Process  # type: ignore[attr-defined]
    build: BaseProcess = make(target=build_language, args=(language, site / language, log))
    build.start()
    return build
