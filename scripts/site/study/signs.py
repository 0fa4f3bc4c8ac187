"""Signs: what each claim came to on the machine that is shown, since when, and what it was before.

They are kept with the results, by what is shown: a machine in a profile, or the home of a published
site, whose machines may be others from month to month.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

import msgspec

from poolwise.machine import Line, Machine, Name
from poolwise.store import read_bytes, replace_file
from scripts.site.judge.claims import CheckedClaim
from scripts.site.judge.decisions import ClaimStatus

FILE = "signs.json"
"""In a folder of results: a claim a line."""
LARGEST_BYTES = 1 << 20


class Sign(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a claim came to, on which machine, and the name of its processor."""

    status: ClaimStatus
    machine: Name
    model: Line


class Lasting(Sign, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sign of a claim ``since`` a day, and the one ``before``, if there was any."""

    since: date
    before: Sign | None = None


Signs = Mapping[str, Lasting]
"""By the ids of claims."""


def read_signs(results: Path) -> dict[str, dict[str, Lasting]]:
    """Read all signs, by what is shown; none without the file, or where it is damaged."""
    path = results / FILE
    data = read_bytes(path, LARGEST_BYTES)
    try:
        return msgspec.json.decode(data or b"{}", type=dict[str, dict[str, Lasting]])
    except (ValueError, RecursionError):
        return {}


def note_signs(
    known: Signs, claims: Iterable[CheckedClaim], machines: Mapping[str, Machine], today: date
) -> dict[str, Lasting]:
    """Note what claims come to now: of each whose sign or machine is another, today's.

    A claim that was not measured keeps what is known. Of several changes in a day the last counts.
    """
    signs = {}
    for checked in claims:
        id_, main = checked.claim.id, checked.main
        sign = known.get(id_)
        if main and (not sign or (sign.status, sign.machine) != (main.status, main.machine)):
            before: Sign | None = None
            if sign and sign.since == today:
                before = sign.before
            elif sign:
                before = Sign(status=sign.status, machine=sign.machine, model=sign.model)
            sign = Lasting(
                status=main.status,
                machine=main.machine,
                model=machines[main.machine].model,
                since=today,
                before=before,
            )
        if sign:
            signs[id_] = sign
    return signs


def keep_signs(results: Path, view: str, signs: Signs) -> None:
    """Keep the signs of a view, what is shown, if any is another; those of all else stay as they are."""
    known = read_signs(results)
    if known.get(view, {}) == signs:
        return
    parts = []
    for name, lasting in sorted({**known, view: signs}.items()):
        lines = (f'"{id_}":{msgspec.json.encode(lasting[id_]).decode()}' for id_ in sorted(lasting))
        parts.append(f'"{name}":{{\n' + ",\n".join(lines) + "\n}")
    replace_file(results / FILE, ("{" + ",\n".join(parts) + "}\n").encode())
