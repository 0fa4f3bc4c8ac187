"""Dependence: which verdicts depend on the Python, in a sentence."""

from collections.abc import Sequence
from itertools import groupby

from markupsafe import Markup

from scripts.judge.evidence import Evidence
from scripts.judge.releases import Career, list_careers
from scripts.render.facts import name_machine
from scripts.render.html import join, link_program
from scripts.render.releases import name_oldest_first
from scripts.render.signs import show_verdict
from scripts.render.words import Words

TOLD = 3
"""Verdicts that a sentence tells of where another place has them all."""


def tell_releases(
    evidence: Evidence, words: Words, home: str = "", *, is_elsewhere: bool = False
) -> Markup:
    """Which verdicts depend on the Python, in a paragraph; nothing where only one was measured.

    Args:
        evidence: of one experiment.
        words: of the page's language.
        home: address of where all of them stand side by side, if that is another place.
        is_elsewhere: of another machine than the one shown, which is then named.
    """
    families = [one.name for one in evidence.experiment.families]
    careers = [one for name in families for one in list_careers(evidence, name)]
    clear = [one for one in careers if len(one.verdicts) > 1]
    if not clear:
        return Markup()
    names = name_oldest_first(evidence)
    used = [id_ for id_ in names if any(id_ in one.verdicts for one in clear)]
    differing = [one for one in clear if one.differs]
    told = words.markup(
        "releases_differ" if differing else "releases_agree",
        pythons=words.count("pythons", len(used)),
        first=names[used[0]],
        last=names[used[-1]],
        differ=words.number(len(differing), 0),
        all=words.number(len(clear), 0),
    )
    if is_elsewhere:
        told += f" ({name_machine(evidence.machine, words)})"
    listed = differing[:TOLD] if home else differing
    shown = join((_tell_career(one, list(names.items()), words) for one in listed), "; ")
    parts = [told + ": " + shown if shown else told]
    if home:
        key = "releases_more" if len(listed) < len(differing) else "releases_all"
        parts.append(Markup('<a href="{}">{}</a>').format(home, words.text(key)))
    return Markup('<p class="releases" data-search-exclude>{}.</p>').format(join(parts, ". "))


def _tell_career(career: Career, names: Sequence[tuple[str, str]], words: Words) -> Markup:
    """``12b (2 cores): ✔ recommended 3.9–3.13, ◐ works, costs more 3.6–3.8``."""
    verdicts = career.verdicts
    parts = [
        show_verdict(verdict, words)
        + " "
        + _write_runs([verdicts.get(id_) == verdict for id_, _ in names], [one for _, one in names])
        for verdict in dict.fromkeys(reversed(verdicts.values()))
    ]
    cores = words.count("cores_nominative", career.cores)
    return link_program(career.program) + f" ({cores}): " + join(parts, ", ")


def _write_runs(fits: Sequence[bool], names: Sequence[str]) -> str:
    """The names that fit; three or more neighbours as a range."""
    runs = []
    for fit, group in groupby(zip(fits, names, strict=True), key=lambda one: one[0]):
        own = [name for _, name in group]
        if fit:
            runs.append(f"{own[0]}–{own[-1]}" if len(own) > 2 else ", ".join(own))
    return ", ".join(runs)
