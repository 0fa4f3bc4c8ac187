"""Claims as others rely on them: a person has read each, and records bear the advice that rests on it.

No machine can tell whether a sentence says what its condition tests. So ``examples/reviewed.toml``
keeps a digest of every claim, sentences and condition, as a person last read it. When either changes
the digest no longer fits, and ``make check`` asks for another look. What Choose and the answers advise
is held against the claims and verdicts of the records.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from poolwise.declaration import convert, find_line, read_text, read_toml
from poolwise.experiment import Experiment, Profile
from scripts.site.check.pages import Problem
from scripts.site.declare.claims import Claim, Comparison, list_compared
from scripts.site.declare.declarations import ANSWERS, Declarations
from scripts.site.judge.claims import CheckedClaim, check_machines, find_taken
from scripts.site.judge.decisions import OPEN
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.rows import list_records
from scripts.site.kept import digest
from scripts.site.study.machines import OtherMachines

_DIGEST_LENGTH = 8
_HEAD = """\
# A digest of every claim, its sentences and its condition, as a person last read it. `make check` says
# which has changed since. Hold its sentences against its condition, then run `make reviewed`.
"""
PUBLISHED: Final = "quick"  # the profile in which records are shown
SIZES: Final = (PUBLISHED, "full")  # or in this, where all of a family is there
AGAINST = ("disqualified", "gains nothing")  # verdicts of no program that is to be taken


def find_unread(path: Path, declared: Declarations) -> Iterator[Problem]:
    """Find every claim that is new or has changed since a person read it, and notes on none."""
    known = _read_digests(path)
    for name, digests in _list_digests(declared).items():
        claims = declared.experiments[name].folder / "claims.toml"
        for number, (id_, current) in enumerate(digests.items()):
            if known.pop(id_, "") != current:
                line = find_line(read_text(claims), ["claims", number])
                todo = "hold its sentences against its condition, then run `make reviewed`"
                message = f"{id_}: is new or has changed since somebody read it: {todo}"
                yield Problem(claims, line, message)
    for id_ in sorted(known):
        line = find_line(read_text(path), [id_])
        yield Problem(path, line, f"{id_}: there is no such claim; `make reviewed` forgets it")


def find_unsaid(declared: Declarations) -> Iterator[Problem]:
    """Find every claim that Home, an answer or Choose shows without naming what makes its number."""
    for name, claims in declared.claims.items():
        path = declared.experiments[name].folder / "claims.toml"
        table = read_toml(path) if claims else {}
        for number, claim in enumerate(claims):
            family = claim.all[0].left.family
            is_said = "at" in table["claims"][number] or family in table.get("at", {})
            if claim.id in declared.first and not is_said:
                line = find_line(read_text(path), ["claims", number])
                message = f"{claim.id}: a reader meets it first: say in [at] what {family} counts"
                yield Problem(path, line, message)


def find_unequal(declared: Declarations) -> Iterator[Problem]:
    """Find every claim whose sides differ in declared work and which doesn't say so, or the reverse."""
    for name, claims in declared.claims.items():
        experiment = declared.experiments[name]
        path = experiment.folder / "claims.toml"
        for number, claim in enumerate(claims):
            if claim.different_work != any(
                _differs_in_work(pair, experiment) for pair in claim.all
            ):
                message = "its sides do the same work: drop different_work"
                if not claim.different_work:
                    message = "its sides differ in parameters or tasks: say different_work = true"
                line = find_line(read_text(path), ["claims", number])
                yield Problem(path, line, f"{claim.id}: {message}")


def _differs_in_work(comparison: Comparison, experiment: Experiment) -> bool:
    """Tell whether the sides of a comparison have other parameters, waits or tasks at a size that is shown."""
    profiles = (profile for name, profile in experiment.profiles.items() if name in SIZES)
    return any(_differs_at(profile, comparison, experiment) for profile in profiles)


def _differs_at(profile: Profile, comparison: Comparison, experiment: Experiment) -> bool:
    works = list[object]()
    for side in list_compared(comparison):
        program, family = experiment.program(side.program), experiment.family(side.family)
        sizes: list[int] = []
        for sweep in profile.find_sweeps(program.name, family.name):
            sizes += sweep.list_tasks(program)
        tasks = {"most": max(sizes), "least": min(sizes)}.get(str(side.tasks), side.tasks)
        works.append((family.merge_params(profile), profile.task_wait_s.get(family.name), tasks))
    return works[0] != works[-1]


def note_reviewed(path: Path, declared: Declarations) -> list[str]:
    """Note all claims as read just now; returns the ids of those that had not been."""
    known, noted, parts = _read_digests(path), [], [_HEAD]
    for name, digests in _list_digests(declared).items():
        lines = [f'{id_} = "{current}"\n' for id_, current in digests.items()]
        parts.append(f"# {name}\n{''.join(lines)}\n")
        noted += [id_ for id_, current in digests.items() if known.get(id_) != current]
    path.write_text("".join(parts).rstrip("\n") + "\n", encoding="utf-8")
    return noted


def _read_digests(path: Path) -> dict[str, str]:
    return convert(read_toml(path), dict[str, str], path) if path.exists() else {}


def _list_digests(declared: Declarations) -> dict[str, dict[str, str]]:
    """Digest the claims of each experiment that has any, as its file has them, by their ids."""
    digests: dict[str, dict[str, str]] = {}
    for name, claims in declared.claims.items():
        path = declared.experiments[name].folder / "claims.toml"
        for table in read_toml(path)["claims"] if claims else ():
            read = {key: table.get(key) for key in ("all", "where", "says", "instead")}
            text = json.dumps(read, sort_keys=True, ensure_ascii=False)
            by_id = digests.setdefault(name, {})
            by_id[table["id"]] = digest(text.encode())[:_DIGEST_LENGTH]
    return digests


@dataclass(frozen=True, slots=True)
class Advice:
    """A program that a page advises, the place where it does so, and the claim that this rests on.

    A row of Choose (``is_row``) is about the machine shown; on others it takes another program by itself.
    """

    place: str
    program: str
    claim: Claim
    is_row: bool = False


def find_objections(results: Path, declared: Declarations) -> Iterator[str]:
    """Tell which rows of Choose and which answers the records of each machine contradict."""
    # What cannot be read is told by the check of the results files.
    machines = OtherMachines(results, "", declared.experiments, warn=lambda _: None)
    for name, advised in _list_advice(declared).items():
        claims = {advice.claim.id: advice.claim for advice in advised}
        evidences = machines.judge(name, PUBLISHED)
        displayed = max(evidences, key=lambda evidence: len(list_records([evidence])), default=None)
        for evidence in evidences:
            judged = check_machines(name, [*claims.values()], [evidence])
            checked = {claim.claim.id: claim for claim in judged}
            for advice in advised:
                if advice.is_row and evidence is not displayed:
                    continue
                advised_claim = checked[advice.claim.id]
                objection = find_objection(advice.program, advised_claim, evidence)
                if advice.is_row and advised_claim.status == OPEN:
                    objection = f"{advice.claim.id} is open"
                if objection:
                    yield f"{advice.place}: {objection} by the records of {evidence.machine.id}"


def _list_advice(declared: Declarations) -> dict[str, list[Advice]]:
    """List what Choose and the answers advise by experiment; of answers each by the first claim about it."""
    advised: dict[str, list[Advice]] = {}
    for choice in declared.choices:
        (claim,) = (
            claim for claim in declared.claims[choice.experiment] if claim.id == choice.claim
        )
        place = f"docs/choices.toml: {choice.id}"
        advice = Advice(place, choice.program, claim, is_row=True)
        advised.setdefault(choice.experiment, []).append(advice)
    first: dict[str, Claim] = {}
    for claim in declared.claims[ANSWERS]:
        first.setdefault(claim.all[0].left.program, claim)
    for program, claim in first.items():
        advice = Advice(f"docs/*/{ANSWERS}/{claim.all[0].left.family}.md", program, claim)
        advised.setdefault(ANSWERS, []).append(advice)
    return advised


def find_objection(program: str, checked: CheckedClaim, evidence: Evidence) -> str:
    """Tell why a program cannot be advised by these records; empty if it can, or nothing is known."""
    if checked.main and checked.status == "refuted":
        return f"{checked.claim.id} is refuted"
    row = find_taken(program, checked, evidence)
    if row and row.verdict in AGAINST:
        return f"{checked.experiment}/{program}: {row.verdict} in {row.family}"
    return ""
