"""Jobs: what remains to be run of an experiment, and with which packages."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from scripts.declare.experiment import Experiment
from scripts.declare.profile import Profile
from scripts.declare.reason import Reason
from scripts.host.interpreters import Installation
from scripts.host.packages import prepare
from scripts.measure.plan import SEED, Done, Step, list_steps
from scripts.records.record import Record
from scripts.records.variant import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What remains to be run of one experiment.

    ``begun`` has a record to add to for every variant of ``steps``, empty or as an interruption
    left it, and one that says why for every variant that cannot be run; ``estimates_s`` what a
    trial of it should take. ``installations`` are those that run the programs, by interpreter.
    """

    experiment: Experiment
    profile: Profile
    steps: tuple[Step, ...]
    begun: Mapping[Variant, Record]
    estimates_s: Mapping[Variant, float]
    installations: Mapping[str, Installation]


def plan_job(
    experiment: Experiment,
    profile: Profile,
    begun: Mapping[Variant, Record],
    estimates_s: Mapping[Variant, float],
    wanted: Iterable[Installation],
    every: Iterable[Installation],
) -> Job:
    """The trials that ``begun`` records lack, and what runs them.

    Args:
        experiment: what is declared.
        profile: at which sizes.
        begun: a record of every variant that is to be run, empty or not.
        estimates_s: what a trial of each should take.
        wanted: get the packages that the programs to be run on them import.
        every: those of each Python found, which run as they are what needs no packages.

    Raises:
        NoPackages: an environment could not be made, or packages not be fetched.
    """
    steps = _list_steps(begun, profile)
    needs: dict[str, dict[str, str]] = {}
    for variant in {step.variant for step in steps}:
        needs.setdefault(variant.interpreter, {}).update(begun[variant].packages)
    prepared = {
        one.interpreter.id: prepare(one, needs[one.interpreter.id])
        for one in wanted
        if one.interpreter.id in needs
    }
    missing = {name: one.missing for name, one in prepared.items()}
    begun = {
        variant: _mark(record, missing.get(variant.interpreter, frozenset()))
        for variant, record in begun.items()
    }
    return Job(
        experiment=experiment,
        profile=profile,
        steps=tuple(step for step in steps if begun[step.variant].status == "ok"),
        begun=begun,
        estimates_s=estimates_s,
        installations={one.interpreter.id: one for one in every}
        | {name: one.installation for name, one in prepared.items()},
    )


def describe_lacking(records: Iterable[Record]) -> list[str]:
    """A line for each package that there is no wheel of, where programs need it."""
    found = {
        (one.variant.experiment, one.variant.interpreter, str(one.reason.params["package"]))
        for one in records
        if one.reason
    }
    return [
        f"{experiment}: no wheel of {package} for {interpreter}; what imports it is not measured"
        for experiment, interpreter, package in sorted(found)
    ]


def _list_steps(begun: Mapping[Variant, Record], profile: Profile) -> list[Step]:
    done = {
        variant: Done(traced=len(record.traced), timed=len(record.timed))
        for variant, record in begun.items()
    }
    return list(list_steps(tuple(begun), profile, SEED, done))


def _mark(record: Record, missing: AbstractSet[str]) -> Record:
    """The record, or if it needs a package that is missing, one that says so instead."""
    lacking = sorted(record.packages.keys() & missing)
    if not lacking:
        return record
    return replace(record, status="unavailable", reason=Reason("no-wheel", {"package": lacking[0]}))
