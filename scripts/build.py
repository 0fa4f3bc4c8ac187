"""Build: the whole site, from what is to be measured to what stands above the languages.

The languages are built by MkDocs alone, side by side: whoever runs it and then the root step by
hand gets the same. Both share what was read and judged before they part.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic

from scripts.declare.languages import list_languages
from scripts.measure.progress import Progress
from scripts.output import claim_folder, hold_folder
from scripts.page.context import check_all, list_machines, refresh
from scripts.page.failures import tell_failures
from scripts.page.language import build_language
from scripts.page.preflight import check_build
from scripts.page.root import finish_site
from scripts.pipeline import measure_everything
from scripts.settings import read_settings
from scripts.summary import defuse

NEXT = ".next"
"""In the folder of the site, where languages are while they are built."""
SOON_S = 100.0
"""Of measuring, before the first pages of it: half of the matrix is measured then in quick."""
SHARE = 12
"""Of measuring to building: in quick the pages on the way take about a minute."""


def build_site(name: str) -> int:
    """Measure what is missing and build every language into the folder ``name``.

    Returns:
        The exit status: 1 if a page or a program has failed; the site is written nevertheless.

    Raises:
        ForeignFolder: the folder is not ours to write to.
        BadSetting, MalformedDeclaration, LauncherError, LoadServerError, OSError: as measuring.
    """
    site = claim_folder(name)
    settings = read_settings(os.environ)
    # The pages show what there is: they measure nothing again, and take no turn at measuring.
    os.environ |= {"FRESH": "0", "MEASURE": "later"}
    refresh()
    check_build(settings)
    measure_everything(settings, Interim(name, site).build_if_due)
    os.environ["MEASURE"] = "0"
    with hold_folder(site):
        complete = build_languages(site)
        return finish(name, complete=complete)


class Interim:
    """Pages of what is measured so far, so that nobody waits for the last trial to read the first.

    They are built at once where there are none yet, again soon after, and then whenever measuring
    has gone on for ``SHARE`` times as long as the last build took. Measuring waits meanwhile.
    ``name`` is the folder ``site`` as a person has named it, ``clock`` tells seconds.
    """

    def __init__(self, name: str, site: Path, clock: Callable[[], float] = monotonic) -> None:
        self._name = name
        self._site = site
        self._clock = clock
        self._is_new = True
        self._wait_s = SOON_S
        self._due_s = clock() + (SOON_S if any(site.glob("*/index.html")) else 0.0)

    def build_if_due(self, progress: Progress) -> None:
        """Build them if it is time to; what is wrong with them the build at the end will tell.

        For an end that is near nobody has to be helped to wait.
        """
        if progress.left_s < SOON_S:
            return
        if self._is_new:
            progress.note(f"{self._name}/ shows what there is so far. {_tell_address(self._name)}")
            self._is_new = False
        began_s = self._clock()
        if began_s < self._due_s:
            return
        progress.note(f"building {self._name}/ while measuring waits")
        with hold_folder(self._site):
            build_languages(self._site, told=False)
            finish_site(self._site)
        self._due_s = self._clock() + self._wait_s
        self._wait_s = max(SOON_S, SHARE * (self._clock() - began_s))


def build_languages(site: Path, *, told: bool = True) -> bool:
    """Build every language with MkDocs, side by side; false if one has complained.

    They share what was read and judged before they part, and show what there was until they are
    whole. ``told`` shows what MkDocs says.
    """
    refresh()
    check_all()
    list_machines()
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
            for build in builds:
                build.join()
            for log in logs.values() if told else ():
                print(defuse(log.read_text(encoding="utf-8", errors="replace")), file=sys.stderr)
    for built in (site / NEXT).glob("*"):
        shutil.rmtree(site / built.name, ignore_errors=True)
        built.rename(site / built.name)
    shutil.rmtree(site / NEXT, ignore_errors=True)
    return not any(build.exitcode for build in builds)


def finish(name: str, *, complete: bool = True) -> int:
    """Write the root of a site, say where it is or that it is not as it should be; the exit status.

    ``complete`` says whether its languages, in the folder ``name``, are as they should be.

    Raises:
        ForeignFolder: the folder is not ours to write to.
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
    arguments = (language, site / language, log)
    log.touch()  # it is read also if the build is ended before it says anything
    build: BaseProcess
    if sys.platform == "linux":
        build = get_context("fork").Process(target=build_language, args=arguments)
    else:  # where not every library outlives a fork
        build = get_context("spawn").Process(target=build_language, args=arguments)
    build.start()
    return build
