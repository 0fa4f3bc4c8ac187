"""Pair: one program measured as two, which tells how much a machine can tell apart by itself."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from msgspec import Meta

from scripts.host.bounds import Seconds

FEWEST, MOST = 5, 100

Times = Annotated[tuple[Seconds, ...], Meta(min_length=FEWEST, max_length=MOST)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Wall times of the trials of either side, in the order in which they ran, side by side."""

    first_s: Times
    second_s: Times
    measured_at: Annotated[datetime, Meta(tz=True)]
