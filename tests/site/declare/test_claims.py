"""A claims file is read as it stands, or refused with its file, line and claim."""

from pathlib import Path

import pytest
from msgspec import structs

from scripts.harness.declaration import MalformedDeclaration
from scripts.harness.experiment import Experiment, load_experiment
from scripts.site.declare.claims import Claim, Side, list_sides, load_all_claims
from tests.factories import CLAIMS, TERMS, alter, write_experiment


def declare(folder: Path, text: str = CLAIMS) -> Experiment:
    write_experiment(folder)
    (folder / "claims.toml").write_text(text, encoding="utf-8")
    return load_experiment(folder)


def load(experiment: Experiment) -> tuple[Claim, ...]:
    return load_all_claims([experiment], TERMS)[experiment.name]


def test_a_side_is_a_program_in_the_first_of_its_families_with_most_tasks_and_workers(
    tmp_path: Path,
) -> None:
    (claim,) = load(alter(declare(tmp_path), "programs", "two", families=["cpu", "io"]))
    assert [structs.replace(side, names={}) for side in list_sides(claim)] == [
        Side(program="two", family="cpu", tasks="most", workers="most"),
        Side(program="one", family="io"),
    ]


def test_a_side_is_called_as_its_experiment_calls_the_program_and_the_family(
    tmp_path: Path,
) -> None:
    experiment = declare(tmp_path)
    (claim,) = load(experiment)
    names = {"program": experiment.program("two").title, "family": experiment.family("io").title}
    assert list_sides(claim)[0].names == names


def test_an_id_stands_for_one_claim(tmp_path: Path) -> None:
    twice = declare(tmp_path / "lab", CLAIMS + CLAIMS.removeprefix("schema = 2\n"))
    with pytest.raises(
        MalformedDeclaration, match="two-is-faster: the id stands for a claim of lab"
    ):
        load(twice)
