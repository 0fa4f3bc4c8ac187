"""Claims on pages: every claim stands where it should, and no quantity is typed in its place."""

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from scripts.harness.declaration import find_line, read_text
from scripts.harness.experiment import Experiment, tell_unknown_program
from scripts.site.check.markdown import Fence, Line, split
from scripts.site.check.problem import Problem
from scripts.site.check.quantities import find_quantities
from scripts.site.declare.claims import Claim
from scripts.site.declare.declarations import Declarations


class _Use(NamedTuple):
    """A fence that shows a claim, or the list of a topic; neither of them for the list of all."""

    line: int
    id: str = ""
    topic: str = ""


def find_problems(docs: Path, declared: Declarations) -> list[Problem]:
    """Everything that is wrong with measured quantities and claims on the pages.

    Claims are looked for in one language: that all have the same fences is told by ``languages``.
    """
    known = {claim.id: claim for found in declared.claims.values() for claim in found}
    languages = sorted({path.relative_to(docs).parts[0] for path in docs.rglob("*.md")})
    shown: dict[str, set[str]] = {}
    problems: list[Problem] = []
    for language in languages:
        for path in sorted((docs / language).rglob("*")):
            if path.suffix not in (".md", ".ipynb"):
                continue
            lines = _read_lines(path)
            problems += [Problem(path, *found) for found in find_quantities(lines, language)]
            lost = _find_lost_programs(lines, declared.experiments)
            problems += [Problem(path, *found) for found in lost]
            if path.suffix == ".md" and language == languages[0]:
                uses = list(_find_uses(lines))
                problems += [Problem(path, *found) for found in _find_unknown(uses, known)]
                shown[str(path.relative_to(docs / language))] = set(_list_shown(uses, known))
    return [*problems, *_find_unshown(declared, shown)]


def _find_lost_programs(
    lines: Iterable[Line], experiments: Mapping[str, Experiment]
) -> Iterator[Line]:
    """Names in ``show.program("matrix/01-io-sequential.py")`` of what is not declared."""
    for part in split(lines):
        if not isinstance(part, Fence) or not part.is_executed or "show.program(" not in part.code:
            continue
        for node in ast.walk(ast.parse(part.code)):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="program"), args=[ast.Constant(value=str() as name)]
                ) if unknown := tell_unknown_program(experiments, name):
                    yield part.line, unknown


def _find_unshown(declared: Declarations, shown: Mapping[str, set[str]]) -> Iterator[Problem]:
    """Claims that do not stand on the page of their experiment, or of one without on no page."""
    everywhere = set[str]().union(*shown.values())
    for name, claims in declared.claims.items():
        path, home = declared.experiments[name].folder / "claims.toml", f"{name}.md"
        for number, claim in enumerate(claims):
            if claim.id not in shown.get(home, everywhere):  # the list of everything leads there
                line = find_line(read_text(path), ["claims", number])
                said = f"{home} does not show" if home in shown else "no page shows"
                yield Problem(path, line, f"{said} the claim {claim.id!r}")


def _read_lines(path: Path) -> list[Line]:
    """A page's lines with their numbers; of a notebook, those of its Markdown cells."""
    text = read_text(path)
    if path.suffix == ".md":
        return list(enumerate(text.splitlines(), start=1))
    raw = text.splitlines()
    lines: list[Line] = []
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] != "markdown":
            continue
        for source in "".join(cell["source"]).splitlines():
            written = json.dumps(source, ensure_ascii=False)[1:-1]
            number = next((at for at, line in enumerate(raw, 1) if written in line), 1)
            lines.append((number, source))
        lines.append((lines[-1][0] if lines else 1, ""))
    return lines


def _find_uses(lines: Iterable[Line]) -> Iterator[_Use]:
    """Every call of ``show.claim`` and ``show.claims`` in a page's executed fences."""
    for part in split(lines):
        if not isinstance(part, Fence) or not part.is_executed or "show.claim" not in part.code:
            continue
        for node in ast.walk(ast.parse(part.code)):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="claim"), args=[ast.Constant(value=str() as id_)]
                ):
                    yield _Use(part.line, id_)
                case ast.Call(func=ast.Attribute(attr="claims"), keywords=keywords):
                    values = [word.value for word in keywords]
                    topics = [str(one.value) for one in values if isinstance(one, ast.Constant)]
                    yield _Use(part.line, topic="".join(topics))


def _find_unknown(uses: Iterable[_Use], known: Mapping[str, Claim]) -> Iterator[Line]:
    topics = {"", *(claim.topic for claim in known.values())}
    for use in uses:
        if use.id and use.id not in known:
            yield use.line, f"no such claim {use.id!r}"
        elif use.topic not in topics:
            yield use.line, f"no claims of a topic {use.topic!r}"


def _list_shown(uses: Iterable[_Use], known: Mapping[str, Claim]) -> Iterator[str]:
    """Ids that stand on a page; the list of everything does not count."""
    for use in uses:
        if use.id:
            yield use.id
        elif use.topic:
            yield from (id_ for id_, claim in known.items() if claim.topic == use.topic)
