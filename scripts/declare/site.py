"""Site: all that ``examples/`` and ``docs/`` declare, validated together, for build and check."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scripts.declare.choice import Choice, load_choices
from scripts.declare.claim import Claim, load_claims
from scripts.declare.declaration import refuse
from scripts.declare.experiment import Experiment, find_experiments
from scripts.paths import CHOICES, EXAMPLES


@dataclass(frozen=True, slots=True, kw_only=True)
class Declarations:
    """Experiments and their claims by the name of the experiment, and the choices in their order."""

    experiments: Mapping[str, Experiment]
    claims: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()


def load_declarations(examples: Path = EXAMPLES, choices: Path = CHOICES) -> Declarations:
    """Read everything that is declared.

    Args:
        examples: the folder of the experiments.
        choices: the file of the choices.

    Raises:
        MalformedDeclaration: something is wrong, in a file or between files; names file, line, key.
    """
    experiments = {found.name: found for found in find_experiments(examples)}
    claims = {name: load_claims(experiment) for name, experiment in experiments.items()}
    homes: dict[str, str] = {}
    for name, declared in claims.items():
        for number, claim in enumerate(declared):
            if claim.id in homes:
                message = f"{claim.id}: the id stands for a claim of {homes[claim.id]}"
                path = experiments[name].folder / "claims.toml"
                refuse(path, [(["claims", number, "id"], message)])
            homes[claim.id] = name
    return Declarations(
        experiments=experiments,
        claims=claims,
        choices=load_choices(choices, experiments.values()),
    )
