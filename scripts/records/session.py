"""Sessions: runs of the engine on one boot of one machine, each begun soon after the last one's end.

What a machine gives differs from day to day by more than the trials of one day tell. So each trial
has the name of its session, and only trials of one session are compared.
"""

import hashlib
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import psutil

from scripts.host.cores import ROOT, read_text
from scripts.records.record import UNKNOWN_SESSION, Record

LONGEST_PAUSE = timedelta(hours=1)
"""Between the end of a run and the begin of the next one of its session."""
_UNKNOWN = UNKNOWN_SESSION.partition("-")[0]
_NAME = re.compile(r"(\d{8}T\d{9})Z-[0-9a-f]{6}")


def read_boot() -> str:
    """A digest of what the system calls its present boot, the same until the next."""
    boot = read_text(ROOT / "proc/sys/kernel/random/boot_id") or str(int(psutil.boot_time()))
    return hashlib.sha256(boot.encode()).hexdigest()[:6]


def name_session(began_at: datetime, boot: str) -> str:
    """The name of a session: ``20261123T140509123Z-3fa2c1``. Names sort by their dates."""
    utc = began_at.astimezone(UTC)
    return f"{utc:%Y%m%dT%H%M%S}{utc.microsecond // 1000:03}Z-{boot}"


def name_unknown(interpreter: str) -> str:
    """The name of the one session of a results file that tells of none: its date is unknown."""
    return f"{_UNKNOWN}-{interpreter}"


def read_began(session: str) -> datetime | None:
    """When a session began; ``None`` if its date is unknown.

    Raises:
        ValueError: this is the name of no session.
    """
    if session.startswith(f"{_UNKNOWN}-"):
        return None
    found = _NAME.fullmatch(session)
    if not found:
        raise ValueError(f"{session!a} is no name of a session")
    return datetime.strptime(found[1], "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC)


def choose_session(records: Iterable[Record], now: datetime, boot: str) -> str:
    """The session of a run that begins now: the last one if that goes on, else a new one.

    Args:
        records: all those of the machine.
        now: when the run begins.
        boot: what ``read_boot`` tells.
    """
    last = max(
        (record for record in records if record.session),
        key=lambda record: record.measured_at,
        default=None,
    )
    if last and last.session.endswith(f"-{boot}") and now - last.measured_at <= LONGEST_PAUSE:
        return last.session
    return name_session(now, boot)
