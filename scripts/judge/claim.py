"""Claims: checked sentences, as ``examples/<experiment>/claims.toml`` declares them."""

import re
from typing import Literal, get_args

from scripts.judge.judgement import Verdict
from scripts.measure.declaration import Declared, MalformedDeclaration, at, convert, read_toml
from scripts.measure.experiment import Experiment

Metric = Literal["wall_s", "cpu_s", "system_s", "cpu_share", "peak_pss_bytes", "max_rss_bytes"]
Relation = Literal["less", "more", "equal", "not less", "not more"]
Place = Literal["left", "right", "ratio", "cores", "workers", "verdict"]

PLACE = re.compile(r"\{(\w+)(?:\|[^{}]*)?\}")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Comparison(Declared, frozen=True, kw_only=True):
    """A condition: ``metric`` of one program stands in ``relation`` to another's, or to a number.

    Args:
        metric: what is compared.
        left: the program that the sentence is about.
        right: the program it is compared with, or a number in the metric's own unit.
        relation: ``less``: left ≤ right ÷ margin. ``more``: left ≥ right × margin. ``equal``:
            between the two. ``not less`` and ``not more``: the opposites of the first two.
        margin: a factor, at least 1.
        right_cores: on how many cores the right side ran: as many as the left, or one.
    """

    metric: Metric
    left: str
    right: str | float
    relation: Relation
    margin: float = 1.1
    right_cores: Literal["same", "one"] = "same"


class Mark(Declared, frozen=True, kw_only=True):
    """A condition: the verdict on a program is one of these, as a source's own mark has it."""

    program: str
    verdicts: list[Verdict]


class Where(Declared, frozen=True, kw_only=True):
    """Where a claim applies; what is left out does not matter.

    ``cores`` is ``one`` or ``several``; the others are compared with the record's own.
    """

    cores: Literal["one", "several"] | None = None
    gil: Literal["on", "off"] | None = None
    start_method: Literal["fork", "forkserver", "spawn"] | None = None
    system: Literal["Linux", "Darwin"] | None = None


class Claim(Declared, frozen=True, kw_only=True):
    """One sentence, true or false on a machine.

    Args:
        id: its permanent name and anchor.
        topic: what it is about, to filter by: a key of the catalogues' ``[topics]``.
        source: the article it comes from, PEP, documentation, or ``us``.
        origin: where in the source, in words that both languages share (a row, a heading).
        text: the sentence by language, with places for what is measured of the first comparison.
        all: comparisons that must all hold.
        mark: a verdict that must be given; instead of comparisons.
        where: where it applies.
    """

    id: str
    topic: str
    source: str
    origin: str = ""
    text: dict[str, str]
    all: list[Comparison] = []
    mark: Mark | None = None
    where: Where = Where()


class _File(Declared, frozen=True, kw_only=True):
    schema: Literal[1]
    claims: list[Claim]


def load_claims(experiment: Experiment) -> tuple[Claim, ...]:
    """The claims of an experiment, in the order of its file; none if it has no file.

    Raises:
        MalformedDeclaration: something is wrong; names file, line and key.
    """
    path = experiment.folder / "claims.toml"
    if not path.exists():
        return ()
    claims = convert(read_toml(path), _File, path).claims
    programs = {program.name for program in experiment.programs}
    seen: set[str] = set()
    for number, claim in enumerate(claims):
        for key, problem in _find_problems(claim, programs, seen):
            raise MalformedDeclaration(at(path, ["claims", number, *key], f"{claim.id}: {problem}"))
        seen.add(claim.id)
    return tuple(claims)


def _find_problems(
    claim: Claim, programs: set[str], seen: set[str]
) -> list[tuple[list[str | int], str]]:
    problems: list[tuple[list[str | int], str]] = []
    if not _ID.fullmatch(claim.id):
        problems.append((["id"], "an id is lower-case words joined by hyphens"))
    if claim.id in seen:
        problems.append((["id"], "an id stands for one claim only"))
    if bool(claim.all) == bool(claim.mark):
        problems.append((["all"], "either comparisons or a mark"))
    if claim.mark and claim.mark.program not in programs:
        problems.append((["mark"], f"no such program {claim.mark.program!r}"))
    for number, comparison in enumerate(claim.all):
        problems += [
            (["all", number], f"no such program {side!r}")
            for side in (comparison.left, comparison.right)
            if isinstance(side, str) and side not in programs
        ]
        if comparison.margin < 1:
            problems.append((["all", number, "margin"], "a margin is a factor of at least 1"))
    problems += [
        (["text", language], f"no such place {{{place}}}")
        for language, text in claim.text.items()
        for place in PLACE.findall(text)
        if place not in get_args(Place)
    ]
    return problems
