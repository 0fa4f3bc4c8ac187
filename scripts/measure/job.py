"""Jobs: what remains to be run of an experiment, and with which packages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scripts.declare.experiment import Experiment
from scripts.declare.profile import Profile
from scripts.host.interpreters import Installation
from scripts.host.packages import Environment, prepare
from scripts.measure.plan import SEED, Done, Step, count_done, list_steps
from scripts.records.record import Record, Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is asked of a variant: so many trials in all, into a record, at so many seconds each.

    Timed trials that were disturbed are repeated, up to ``repeats`` of them.
    """

    record: Record
    wanted: Done
    estimate_s: float
    repeats: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What remains to be run of one experiment.

    ``orders`` has one for every variant of ``steps``, whose record is empty or as an interruption
    left it, and for every variant that cannot be run, whose record says why. ``installations`` are
    those that run the programs, by interpreter. ``problems`` are sentences: why packages could not
    be got that there may well be.
    """

    experiment: Experiment
    profile: Profile
    steps: tuple[Step, ...]
    orders: Mapping[Variant, Order]
    installations: Mapping[str, Installation]
    problems: tuple[str, ...] = ()


def plan_job(
    experiment: Experiment,
    profile: Profile,
    orders: Mapping[Variant, Order],
    wanted: Iterable[Installation],
    every: Iterable[Installation],
    session: str,
) -> Job:
    """The trials that are asked for and not done yet in a session, and what runs them.

    Installations ``wanted`` get the packages that the programs to be run on them import; ``every``,
    of each Python found, run as they are what needs no packages.
    """
    done = {variant: count_done(order.record, session) for variant, order in orders.items()}
    asked = {variant: order.wanted for variant, order in orders.items()}
    steps = tuple(list_steps(asked, SEED, done))
    prepared = _prepare(wanted, [orders[variant].record for variant in {s.variant for s in steps}])
    orders = {variant: _mark(order, prepared) for variant, order in orders.items()}
    return Job(
        experiment=experiment,
        profile=profile,
        steps=tuple(step for step in steps if orders[step.variant].record.status == "ok"),
        orders=orders,
        installations={one.interpreter.id: one for one in every}
        | {name: one.installation for name, one in prepared.items()},
        problems=tuple(one.problem for one in prepared.values() if one.problem),
    )


def describe_lacking(records: Iterable[Record]) -> list[str]:
    """A line for each package that an interpreter cannot be given, where programs need it."""
    found = {
        (one.variant.experiment, one.variant.interpreter, str(one.reason))
        for one in records
        if one.reason
    }
    return [
        f"{experiment}, {interpreter}: {reason}; what imports it is not measured"
        for experiment, interpreter, reason in sorted(found)
    ]


def _prepare(wanted: Iterable[Installation], records: Iterable[Record]) -> dict[str, Environment]:
    """The environments of interpreters that are to run something, with all the packages it needs."""
    needs: dict[str, dict[str, str]] = {}
    for record in records:
        needs.setdefault(record.variant.interpreter, {}).update(record.packages)
    return {
        one.interpreter.id: prepare(one, needs[one.interpreter.id])
        for one in wanted
        if one.interpreter.id in needs
    }


def _mark(order: Order, prepared: Mapping[str, Environment]) -> Order:
    """The order, or if its program needs a package that is missing, with a record that says so."""
    record = order.record
    environment = prepared.get(record.variant.interpreter)
    lacking = sorted(record.packages.keys() & environment.missing.keys()) if environment else []
    if environment is None or not lacking:
        return order
    reason = environment.missing[lacking[0]]
    return replace(order, record=replace(record, status="unavailable", reason=reason))
