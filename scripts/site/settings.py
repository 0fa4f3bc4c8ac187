"""Settings: what a person asks of a build, through environment variables."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar, get_args

from scripts.harness.experiment import ProfileName
from scripts.harness.paths import RESULTS

Choice = TypeVar("Choice", bound=str)
Failures = Literal["stop", "tell"]
Measure = Literal["missing", "all", "nothing"]


class BadSetting(ValueError):
    """A variable with a value that cannot be used; the message says why, or what can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The wishes of a person: what to measure, and what to show.

    Attributes:
        profile: how large the work is (``PROFILE``).
        only: measure nothing but what matches this pattern (``ONLY``); empty for everything.
        interpreters: which interpreters to run on (``INTERPRETERS``); empty for the running one,
            and for each that is found where programs are for that.
        machine: whose records to show (``MACHINE``); empty for the machine at hand.
        measure: what to measure: cells without a valid record, all cells (``FRESH=1``), or nothing
            (``MEASURE=0``, whatever ``FRESH`` is).
        results: the folder where records are kept (``RESULTS``).
        failures: whether a program that fails makes the build fail once the pages are written, or
            is only shown and told (``FAILURES``).
    """

    profile: ProfileName = "quick"
    only: str = ""
    interpreters: str = ""
    machine: str = ""
    measure: Measure = "missing"
    results: Path = RESULTS
    failures: Failures = "stop"


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read settings from environment variables; an empty one counts as absent.

    Raises:
        BadSetting: PROFILE, FRESH, MEASURE or FAILURES is none of its possible values. MkDocs checks
            addresses, and the pipeline ONLY, INTERPRETERS and MACHINE.
    """
    measure: Measure = "missing"
    if _choose(environment, "FRESH", ("0", "1"), "0") == "1":
        measure = "all"
    if _choose(environment, "MEASURE", ("0", "1"), "1") == "0":
        measure = "nothing"
    return Settings(
        profile=_choose(environment, "PROFILE", get_args(ProfileName), "quick"),
        only=environment.get("ONLY", ""),
        interpreters=environment.get("INTERPRETERS", ""),
        machine=environment.get("MACHINE", ""),
        measure=measure,
        results=Path(environment.get("RESULTS") or RESULTS),
        failures=_choose(environment, "FAILURES", get_args(Failures), "stop"),
    )


def _choose(
    environment: Mapping[str, str], name: str, possible: tuple[Choice, ...], default: Choice
) -> Choice:
    value = environment.get(name) or default
    for known in possible:
        if value == known:
            return known
    raise BadSetting(f"{name}={value} is not known; possible: {', '.join(possible)}")
