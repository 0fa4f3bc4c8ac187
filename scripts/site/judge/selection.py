"""Selection: older names for choices among rows, for modules that do not use ``Rows`` yet."""

from collections.abc import Iterable, Sequence
from typing import Literal

from scripts.site.declare.claims import Claim, Comparison, Side, Size
from scripts.site.judge import meant, rows
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.rows import Rows

Arena = Sequence[Judgement]
find_kind = rows.find_kind
list_records = rows.list_records
name_python = meant.name_python


def select_cells(judgements: Iterable[Judgement], **wanted: str | int | None) -> list[Judgement]:
    """See ``Rows.where``."""
    return list(Rows(judgements).where(**wanted))


def select_measured(judgements: Iterable[Judgement]) -> list[Judgement]:
    """See ``Rows.measured``."""
    return list(Rows(judgements).measured)


def select_family(evidence: Evidence, family: str, programs: Sequence[str] = ()) -> list[Judgement]:
    """See ``rows.select_family``."""
    return list(rows.select_family(evidence, family, programs))


def list_sizes(judgements: Iterable[Judgement], size: Size) -> list[int]:
    """See ``Rows.values``."""
    return Rows(judgements).values(size)


def list_arenas(judgements: Iterable[Judgement]) -> list[list[Judgement]]:
    """See ``Rows.arenas``."""
    return [list(arena) for arena in Rows(judgements).arenas()]


def choose_interpreter(evidence: Evidence, judgements: Iterable[Judgement]) -> list[Judgement]:
    """See ``Rows.first_python``."""
    return list(Rows(judgements).first_python(evidence.interpreters))


def choose_end(
    judgements: Iterable[Judgement], size: Size, end: Literal["most", "least"] = "most"
) -> list[Judgement]:
    """See ``Rows.most`` and ``Rows.least``."""
    found = Rows(judgements)
    return list(found.most(size) if end == "most" else found.least(size))


def choose_largest(judgements: Iterable[Judgement]) -> list[Judgement]:
    """See ``Rows.largest``."""
    return list(Rows(judgements).largest())


def find_largest(judgements: Iterable[Judgement]) -> Judgement | None:
    """See ``Rows.find_largest``."""
    return Rows(judgements).find_largest()


def find_best(
    evidence: Evidence, judgements: Iterable[Judgement], family: str, kind: str, cores: int
) -> Judgement | None:
    """See ``rows.find_best``."""
    members = Rows(judgements).where(family=family, cores=cores)
    return rows.find_best(one for one in members if find_kind(evidence, one) == kind)


def list_claim_arenas(claim: Claim, judgements: Iterable[Judgement]) -> list[Rows]:
    """See ``meant.list_claim_arenas``."""
    return meant.list_claim_arenas(claim, Rows(judgements))


def find_cell(side: Side, arena: Iterable[Judgement]) -> Judgement | None:
    """See ``meant.find_cell``."""
    return meant.find_cell(side, Rows(arena))


def list_meant(
    claim: Claim, arena: Arena, judgements: Iterable[Judgement]
) -> list[tuple[Side, Judgement | None]]:
    """See ``meant.list_meant``."""
    return meant.list_meant(claim, Rows(arena), Rows(judgements))


def choose_right(comparison: Comparison, arena: Arena, judgements: Iterable[Judgement]) -> Rows:
    """See ``meant.choose_right``."""
    return meant.choose_right(comparison, Rows(arena), Rows(judgements))
