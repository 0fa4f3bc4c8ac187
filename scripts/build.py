"""Build: the whole site, from what is to be measured to what stands above the languages.

The languages are built by MkDocs alone, side by side: whoever runs it and then the root step by
hand gets the same.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.declare.languages import list_languages
from scripts.output import claim_folder
from scripts.page.context import forget
from scripts.page.failures import tell_failures
from scripts.page.preflight import check_build, locate_config
from scripts.page.root import finish_site
from scripts.paths import ROOT
from scripts.pipeline import measure_everything
from scripts.settings import read_settings


def build_site(name: str) -> int:
    """Measure what is missing and build every language into the folder ``name``.

    Returns:
        The exit status: 1 if a page or a program has failed; the site is written nevertheless.

    Raises:
        ForeignFolder: the folder is not ours to write to.
        BadSetting, MalformedDeclaration, LauncherError, LoadServerError, OSError: as measuring.
    """
    site = claim_folder(name)
    check_build()
    measure_everything(read_settings(os.environ))
    # The pages show what there is now: they measure nothing again, and take no turn at measuring.
    os.environ |= {"FRESH": "0", "MEASURE": "0"}
    forget()
    complete = build_languages(site)
    return finish(name, complete=complete)


def build_languages(site: Path) -> bool:
    """Build every language with MkDocs, side by side; false if one has complained."""
    with tempfile.TemporaryDirectory(prefix="build-") as folder:
        logs = {language: Path(folder) / language for language in list_languages()}
        builds = [_start(language, site, log) for language, log in logs.items()]
        try:
            statuses = [build.wait() for build in builds]
        finally:
            for build in builds:
                build.terminate()  # does nothing to those that have ended
            for build in builds:
                build.wait()
            for log in logs.values():
                print(log.read_text(encoding="utf-8", errors="replace"), end="", file=sys.stderr)
    return not any(statuses)


def finish(name: str, *, complete: bool = True) -> int:
    """Write the root of a site, and say where it is or that it is not as it should be.

    Args:
        name: the folder, in which the languages are built.
        complete: whether they are as they should be.

    Returns:
        The exit status.

    Raises:
        ForeignFolder: the folder is not ours to write to.
    """
    finish_site(Path(name))
    if tell_failures() or not complete:
        print(f"The build has failed, as told above; {name}/ has what came of it.", file=sys.stderr)
        return 1
    print(f"The site is in {name}/. To look at it: python3 -m http.server --directory {name}")
    return 0


def _start(language: str, site: Path, log: Path) -> subprocess.Popen[bytes]:
    argv = [sys.executable, "-m", "mkdocs", "build"]
    argv += ["--config-file", str(locate_config(language)), "--site-dir", str(site / language)]
    with log.open("wb") as file:
        return subprocess.Popen(argv, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT)
