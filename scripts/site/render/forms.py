"""Forms: what published data is, as types; their JSON Schemas are made from these."""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from scripts.harness.declaration import Code, Id
from scripts.harness.experiment import ProfileName
from scripts.harness.machine import Cores, Machine, Name
from scripts.harness.metrics import METRICS
from scripts.harness.pythons import Interpreter
from scripts.harness.record import CELL, COLUMNS, Record, Results
from scripts.site.declare.claims import Verdict
from scripts.site.judge.judge import Origin
from scripts.site.judge.margins import ClaimStatus
from scripts.site.judge.noise import Flag
from scripts.site.judge.statistics import CONFIDENCE, FEWEST

Moment = Annotated[datetime, Meta(tz=True)]
Interval = Annotated[
    tuple[float, float] | None,
    Meta(
        description=f"{100 * CONFIDENCE:.4g} % interval of the median; of fewer than "
        f"{FEWEST} trials, the least and the greatest."
    ),
]
Seconds = Annotated[float, Meta(ge=0)]
RECORDED = (*CELL, "session", "status", "readings")
"""What is published of a row of a results file as it stands there, beside its metrics."""
DERIVED = [metric for metric in METRICS.values() if metric.derive]
"""Published as a median; recorded metrics have a value per trial."""
_TYPES = {one.encode_name: one.type for one in msgspec.structs.fields(Record)}
_FIELDS: list[tuple[str, Any]] = [
    *((name, _TYPES[name]) for name in RECORDED),
    ("origin", Annotated[Origin, Meta(description="Whether we measured it, or a stranger.")]),
    ("reason", Annotated[str, Meta(description="In English; empty if the status is ok.")]),
    ("reason_code", Code | Literal[""]),
    *COLUMNS,
    *(
        (one.name, Annotated[float | None, Meta(description=f"Median. {one.about}")])
        for one in DERIVED
    ),
    ("disturbed", Annotated[int, Meta(ge=0, description="Timed trials that were repeated.")]),
    ("wall_median_s", Seconds | None),
    ("wall_interval_s", Interval),
    ("noise", list[Flag]),
    ("floor_s", Seconds | None),
    ("verdict", Verdict | None),
    ("measured_at", Moment),
]
ResultRow = msgspec.defstruct("ResultRow", _FIELDS, kw_only=True, forbid_unknown_fields=True)
ROW = [name for name, *_ in _FIELDS]
"""The names of a row, in the order of the columns of the CSV."""


class PublishedResults(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What the pages of this site were made of."""

    schema: Literal[2]
    protocol: Annotated[int, Meta(ge=1)]
    generated_at: Moment
    profile: ProfileName
    machines: list[Machine]
    interpreters: list[Interpreter]
    rows: list[ResultRow]  # type: ignore[valid-type]


Ends = tuple[float | None, float | None, float | None]
"""A median with the ends of its interval; null where it is infinite."""


class PublishedCompared(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A comparison of a claim: what fills the places of its sentence, in the unit of the metric."""

    metric: str
    margin: float
    left: Ends
    right: Ends
    ratio: Ends


class PublishedSession(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a check comes to in one session alone; ``value`` as in the check."""

    status: ClaimStatus
    value: float | str | None


class PublishedCheck(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A claim on one machine, interpreter and core count.

    ``value`` is what stands on the left of the formula of the comparison that decided, with its
    98.42 % ``interval``, or the verdict of a mark; null if nothing was measured, or where it is
    infinite. ``condition`` has the formulas; with several comparisons all must hold.
    ``compared`` has a comparison for each, in the order that the places of the text count them;
    ``sentence`` is the text with its places filled, by language. Where it was tried in several
    sessions, ``sessions`` has each, the oldest first.
    """

    machine: Name
    interpreter: Name
    cores: Cores
    status: ClaimStatus
    value: float | str | None
    interval: tuple[float | None, float | None] | None
    condition: str
    compared: list[PublishedCompared]
    sentence: dict[str, str]
    sessions: list[PublishedSession]


class PublishedClaim(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A sentence by language, with places for what is measured.

    Its ``id`` is permanent; ``claim-<id>`` is its anchor on the pages.
    """

    id: Id
    experiment: str
    source: str
    text: dict[str, str]
    checks: list[PublishedCheck]


class PublishedClaims(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Every sentence about speed or memory that this site makes, and whether it holds."""

    schema: Literal[1]
    claims: list[PublishedClaim]


FORMS: dict[str, type[msgspec.Struct]] = {
    "results": PublishedResults,
    "claims": PublishedClaims,
    "records": Results,
}
"""By the name under which the schema is published."""
