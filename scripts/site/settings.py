"""Settings: what a person asks of a build through environment variables, and the folder that it may fill.

Nobody else's folder is touched. A file in ours says that it is, and where: a copy of the site
elsewhere, where the file is copied too, is not ours.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Literal, TypeVar, get_args

from poolwise.experiment import ProfileName
from scripts.site.paths import RESULTS, ROOT

Choice = TypeVar("Choice", bound=str)
Failures = Literal["stop", "tell"]
Measure = Literal["missing", "all", "nothing"]

MARKER = ".built-by-us"

_SENTENCE = "`make site` made this folder and replaces what is in it."
_SOURCES = {".git", "bench", "docs", "examples", "requirements", "results", "scripts", "tests"}


class BadSetting(ValueError):
    """A variable with a value that cannot be used; the message says why, or what can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The wishes of a person: what to measure, and what to show."""

    # PROFILE: how large the work is.
    profile: ProfileName = "quick"
    # ONLY: measure nothing but what matches this pattern.
    only: str = ""
    # INTERPRETERS: by default the running one, and each that is found where programs are for that.
    interpreters: str = ""
    # MACHINE: whose records to show, by default those of the machine at hand. With ``machine/python,…`` it
    # is a home of several: a family is shown of the one with most of its records.
    machine: str = ""
    home: tuple[tuple[str, str], ...] = ()
    # FRESH=1 measures all cells, MEASURE=0 nothing, whatever FRESH is.
    measure: Measure = "missing"
    # RESULTS: the folder where records are kept.
    results: Path = RESULTS
    # FAILURES: whether a program that fails makes the build fail once the pages are written.
    failures: Failures = "stop"
    # MEASURING=1: pages that are to be written again once more is measured.
    goes_on: bool = False


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read settings from environment variables; an empty one counts as absent.

    Raises:
        BadSetting: PROFILE, FRESH, MEASURE, MEASURING or FAILURES is none of its possible values,
            SITE_URL no address, one of several in MACHINE without Python. The pipeline checks more.
    """
    address = environment.get("SITE_URL", "")
    # MkDocs takes any scheme and blanks, which every page would then link.
    if address and not re.fullmatch(r"https?://[^\s/]\S*", address):
        raise BadSetting(
            f"SITE_URL={address} is not known; possible: an address with https:// or http://"
        )
    measure: Measure = "missing"
    if _choose(environment, "FRESH", ("0", "1"), "0") == "1":
        measure = "all"
    if _choose(environment, "MEASURE", ("0", "1"), "1") == "0":
        measure = "nothing"
    machine, home = environment.get("MACHINE", ""), []
    for place in machine.split(","):
        id_, sign, python = place.partition("/")
        if sign:
            home.append((id_, python))
        elif "," in machine:
            raise BadSetting(f"MACHINE={machine}: of several each needs a Python, {place}/PYTHON")
    return Settings(
        profile=_choose(environment, "PROFILE", get_args(ProfileName), "quick"),
        only=environment.get("ONLY", ""),
        interpreters=environment.get("INTERPRETERS", ""),
        machine=machine,
        home=tuple(home),
        measure=measure,
        results=Path(environment.get("RESULTS") or RESULTS),
        failures=_choose(environment, "FAILURES", get_args(Failures), "stop"),
        goes_on=_choose(environment, "MEASURING", ("0", "1"), "0") == "1",
    )


def _choose(
    environment: Mapping[str, str], name: str, possible: tuple[Choice, ...], default: Choice
) -> Choice:
    value = environment.get(name) or default
    for choice in possible:
        if value == choice:
            return choice
    raise BadSetting(f"{name}={value} is not known; possible: {', '.join(possible)}")


# The folder of the site.


class SearchError(RuntimeError):
    """There is no index of the built pages; the message says why."""


def claim_folder(name: str) -> Path:
    """Make and mark the folder that SITE names; return its path, absolute, links followed.

    What does not exist or is empty may be taken, and what a build has made before.

    Raises:
        BadSetting: it is or holds what must stay.
        OSError: it cannot be made or written to.
    """
    folder = _locate(name)
    if folder.exists() and any(folder.iterdir()) and not _is_ours(folder):
        raise BadSetting(
            f"SITE={name} has files that no build wrote: name a new or an empty folder."
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_text(f"{_SENTENCE}\n{_identify(folder)}\n", encoding="utf-8")
    return folder


def describe_refusal(error: OSError) -> str:
    """Say what the system refused, and where: not every error knows its file."""
    reason = error.strerror or str(error)
    if error.filename is None:
        return f"{reason} (while records, pages or temporary files were written)"
    return f"{error.filename}: {reason}"


def _locate(name: str) -> Path:
    if not name.strip():
        raise BadSetting("SITE is empty: leave it out, or name the folder to build into.")
    folder = Path(os.path.realpath(name))
    results = Path(os.path.realpath(os.environ.get("RESULTS") or RESULTS))
    home = Path(os.path.realpath(os.path.expanduser("~")))  # noqa: PTH111 - not everybody has one
    for kept in (ROOT, home, results):
        if kept.is_relative_to(folder):
            raise BadSetting(f"SITE={name} contains {kept}: name another folder.")
    for kept in (*(ROOT / source for source in _SOURCES), results):
        if folder.is_relative_to(kept):
            raise BadSetting(f"SITE={name} is inside {kept}: name another folder.")
    if folder.exists() and not folder.is_dir():
        raise BadSetting(f"SITE={name} is a file: name a folder.")
    return folder


def _identify(folder: Path) -> str:
    """Digest the path and the inode of a folder, which no copy has; the mark is published."""
    # The number of its device may be another one after a restart.
    place = f"{folder}\n{folder.stat().st_ino}"
    return hashlib.sha256(place.encode(errors="surrogateescape")).hexdigest()


def _is_ours(folder: Path) -> bool:
    """Tell whether a build made a folder that is there, and it is no copy; the default one always is."""
    try:
        mark = (folder / MARKER).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        mark = []
    return folder == ROOT / "site" or _identify(folder) in mark


def add_to_summary(heading: str, lines: Iterable[str]) -> None:
    """Add lines to the summary of the run; not outside of Actions.

    They are a block of code, in which nothing that strangers have written means anything.
    """
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        block = indent("\n".join(lines), " " * 4, predicate=lambda _: True)
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(f"\n## {heading}\n\n{block}\n")
