"""Declarations: all that ``examples/`` and ``docs/`` declare, validated together.

Whoever reads a part of it raises ``MalformedDeclaration``: its message names file, line and key.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from msgspec import structs

from scripts.harness.declaration import read_text, refuse
from scripts.harness.experiment import Experiment, find_experiments
from scripts.harness.paths import CHOICES, EXAMPLES, FINDINGS
from scripts.site.declare.choices import Choice, load_choices, load_findings
from scripts.site.declare.claims import Claim, load_all_claims, load_questions
from scripts.site.declare.originals import load_originals
from scripts.site.declare.texts import Terms, find_bad_words, find_unnamed, merge_terms

_SHOWN = re.compile(r'claim(?:\(|=)"([a-z0-9-]+)"')
"""A claim by its id, as fences show it or have it as the title of a chart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declarations:
    """Experiments and their claims by the name of the experiment, and the choices in their order.

    ``terms`` are those of all experiments; ``findings`` the ids of claims by the page that opens
    with them, and ``first`` of those that a reader meets first: there, on Home, in answers and Choose.
    """

    experiments: Mapping[str, Experiment]
    terms: Terms = field(default_factory=dict)
    claims: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    findings: Mapping[str, list[str]] = field(default_factory=dict)
    first: Collection[str] = ()


def load_declarations(examples: Path = EXAMPLES, choices: Path = CHOICES) -> Declarations:
    """Read everything that is declared; the file of the findings is beside that of the choices."""
    experiments = {found.name: _complete(found) for found in find_experiments(examples)}
    terms = merge_terms(one.terms for one in experiments.values())
    for one in experiments.values():
        if problem := find_unnamed("source", one.source, terms):
            refuse(one.folder / "experiment.toml", [(["source"], problem)])
    claims = load_all_claims(experiments.values(), terms)
    ids = {claim.id for own in claims.values() for claim in own}
    findings = load_findings(choices.with_name(FINDINGS.name), ids)
    answers = load_choices(choices, [*experiments.values()], claims)
    met = (chain.from_iterable(findings.values()), _list_answered(choices.parent))
    return Declarations(
        experiments=experiments,
        terms=terms,
        claims=claims,
        choices=answers,
        findings=findings,
        first={*chain.from_iterable(met), *(one.claim for one in answers)},
    )


def _complete(experiment: Experiment) -> Experiment:
    """The experiment with its article's figures and its questions, once its texts are known to be whole."""
    refuse(experiment.folder / "experiment.toml", find_bad_words(experiment))
    originals = load_originals(experiment.folder, {one.name for one in experiment.programs})
    return structs.replace(experiment, originals=originals, questions=load_questions(experiment))


def _list_answered(docs: Path) -> Iterator[str]:
    """List the claims that Home and the answers show."""
    for path in (*docs.glob("*/index.md"), *docs.glob("*/answers/*.md")):
        yield from _SHOWN.findall(read_text(path))
