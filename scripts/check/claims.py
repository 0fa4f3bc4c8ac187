"""Claims on pages: every claim stands where it should, and no quantity is typed in its place."""

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scripts.check.markdown import Fence, Heading, Line, split
from scripts.check.problem import Problem
from scripts.check.quantities import find_quantities
from scripts.declare.claim import Claim
from scripts.declare.declaration import find_line, read_text
from scripts.declare.site import Declarations


@dataclass(frozen=True, slots=True, kw_only=True)
class _Use:
    """A fence that shows a claim, or the list of a topic, below a heading."""

    line: int = field(compare=False)
    heading: str
    id: str = ""
    topic: str = ""


def find_problems(docs: Path, declared: Declarations) -> list[Problem]:
    """Everything that is wrong with measured quantities and claims on the pages."""
    claims = {
        claim.id: (declared.experiments[name], number, claim)
        for name, found in declared.claims.items()
        for number, claim in enumerate(found)
    }
    languages = sorted({path.relative_to(docs).parts[0] for path in docs.rglob("*.md")})
    uses: dict[str, dict[Path, list[_Use]]] = {language: {} for language in languages}
    problems: list[Problem] = []
    for language in languages:
        for path in sorted((docs / language).rglob("*")):
            if path.suffix not in (".md", ".ipynb"):
                continue
            lines = _read_lines(path)
            problems += [Problem(path, *found) for found in find_quantities(lines, language)]
            if path.suffix == ".md":
                uses[language][path.relative_to(docs / language)] = list(_find_uses(lines))
    known = {id_: claim for id_, (_, _, claim) in claims.items()}
    problems += _compare_languages(docs, uses)
    problems += _find_unknown(docs, uses, known)
    shown: dict[Path, set[str]] = {}
    for pages in uses.values():
        for name, found in pages.items():
            shown.setdefault(name, set()).update(_list_shown(found, known))
    for id_, (experiment, number, _) in claims.items():
        home = Path(f"{experiment.name}.md")  # the list of everything leads there
        if not any(id_ in ids for name, ids in shown.items() if name == home or home not in shown):
            path = experiment.folder / "claims.toml"
            line = find_line(read_text(path), ["claims", number])
            where = home if home in shown else "no page"
            said = "does not show" if home in shown else "shows"
            problems.append(Problem(path, line, f"{where} {said} the claim {id_!r}"))
    return problems


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
    heading = ""
    for part in split(lines):
        if isinstance(part, Heading):
            heading = part.id or heading
        elif isinstance(part, Fence) and part.is_executed:
            yield from _read_calls(part.code, part.line, heading)


def _read_calls(code: str, line: int, heading: str) -> Iterator[_Use]:
    if "show.claim" not in code:
        return
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="claim"), args=[ast.Constant(value=str() as id_)]
            ):
                yield _Use(line=line, heading=heading, id=id_)
            case ast.Call(func=ast.Attribute(attr="claims"), keywords=keywords):
                values = [word.value for word in keywords]
                topics = [str(one.value) for one in values if isinstance(one, ast.Constant)]
                yield _Use(line=line, heading=heading, topic="".join(topics))


def _compare_languages(
    docs: Path, uses: Mapping[str, Mapping[Path, list[_Use]]]
) -> Iterator[Problem]:
    """The claims of a page must stand under the same headings, in the same order."""
    first, *others = uses or [""]
    for other in others:
        for name in sorted(uses[first].keys() | uses[other].keys()):
            ours, theirs = uses[first].get(name, []), uses[other].get(name, [])
            pairs = enumerate(zip(ours, theirs, strict=False))
            at = next((n for n, (a, b) in pairs if a != b), min(len(ours), len(theirs)))
            if at == len(ours) == len(theirs):
                continue
            line = theirs[at].line if at < len(theirs) else 1
            wanted = _describe(ours[at]) if at < len(ours) else "nothing more"
            message = f"claims differ from {first}/{name}, which here shows {wanted}"
            yield Problem(docs / other / name, line, message)


def _describe(use: _Use) -> str:
    what = use.id or f"claims of topic {use.topic!r}"
    return f"{what} (below #{use.heading})"


def _find_unknown(
    docs: Path, uses: Mapping[str, Mapping[Path, list[_Use]]], known: Mapping[str, Claim]
) -> Iterator[Problem]:
    for language, pages in uses.items():
        for name, found in pages.items():
            path = docs / language / name
            for use in found:
                if use.id and use.id not in known:
                    yield Problem(path, use.line, f"no such claim {use.id!r}")
                elif use.topic not in {"", *(claim.topic for claim in known.values())}:
                    yield Problem(path, use.line, f"no such {_describe(use)}")


def _list_shown(uses: Iterable[_Use], known: Mapping[str, Claim]) -> Iterator[str]:
    """Ids that stand on a page; the list of everything does not count."""
    for use in uses:
        if use.id:
            yield use.id
        elif use.topic:
            yield from (id_ for id_, claim in known.items() if claim.topic == use.topic)
