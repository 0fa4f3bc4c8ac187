"""Faults: the record of the last campaign, which damages and ends builds and looks at what is left."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from poolwise.store import DamagedRecords, read_bytes
from scripts.site.paths import RESULTS

PATH = RESULTS / "faults.json"
LARGEST_BYTES = 1 << 16

Kind = Literal[
    "killed",
    "group-killed",
    "signalled",
    "full-disk",
    "read-only",
    "limits",
    "clock",
    "two-builds",
    "damaged",
    "hostile",
]
Count = Annotated[int, Meta(ge=0)]


class Tally(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The faults of one kind: how many were tried, and how many cost something."""

    kind: Kind
    tried: Count
    lost: Count


class Campaign(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that one run of ``make faults`` has tried."""

    ran_at: Annotated[datetime, Meta(tz=True)]
    tallies: tuple[Tally, ...]


def read_campaign(path: Path = PATH) -> Campaign | None:
    """Read the record of the last campaign; ``None`` if there is none.

    Raises:
        RecordsError: it cannot be read.
    """
    data = read_bytes(path, LARGEST_BYTES)
    try:
        return msgspec.json.decode(data, type=Campaign) if data else None
    except ValueError as error:
        raise DamagedRecords(f"{path}: {error}") from None
