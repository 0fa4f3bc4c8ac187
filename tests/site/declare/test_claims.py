"""A claims file is read as it stands, or refused with its file, line and claim."""

from pathlib import Path

import pytest
from msgspec import structs

from scripts.harness.declaration import MalformedDeclaration
from scripts.harness.experiment import Experiment
from scripts.site.declare.claims import Claim, Side, list_sides, load_all_claims
from tests.factories import TERMS, alter, make_experiment

GOOD = """schema = 2

[[claims]]
id = "pool-is-faster"
topic = "io"
source = "us"
all = [{ metric = "wall_s", left = "04-io-thread_pool", right = "01-io-sequential", relation = "less" }]
[claims.confirmed]
en = "A pool takes {left} on {cores}."
ru = "Пул занимает {left}: {cores}."
[claims.refuted]
en = "Here a pool takes {left} on {cores}."
ru = "Здесь пул занимает {left}: {cores}."
[claims.open]
en = "Too close to call: {left}."
ru = "Разница слишком мала: {left}."
"""

EXPERIMENT = make_experiment()


def load(folder: Path, text: str, experiment: Experiment = EXPERIMENT) -> tuple[Claim, ...]:
    (folder / "claims.toml").write_text(text, encoding="utf-8")
    placed = structs.replace(experiment, folder=folder)
    return load_all_claims([placed], TERMS)[placed.name]


def test_a_side_is_a_program_in_the_first_of_its_families_with_most_tasks_and_workers(
    tmp_path: Path,
) -> None:
    families = ["cpu", "io"]
    experiment = alter(EXPERIMENT, "programs", "04-io-thread_pool", families=families)
    (claim,) = load(tmp_path, GOOD, experiment)
    assert [structs.replace(side, names={}) for side in list_sides(claim)] == [
        Side(program="04-io-thread_pool", family="cpu", tasks="most", workers="most"),
        Side(program="01-io-sequential", family="io"),
    ]


def test_a_side_is_called_as_its_experiment_calls_the_program_and_the_family(
    tmp_path: Path,
) -> None:
    (claim,) = load(tmp_path, GOOD)
    assert list_sides(claim)[0].names == {
        "program": EXPERIMENT.program("04-io-thread_pool").title,
        "family": EXPERIMENT.family("io").title,
    }


def test_an_id_stands_for_one_claim(tmp_path: Path) -> None:
    twice = GOOD + GOOD.removeprefix("schema = 2\n")
    with pytest.raises(
        MalformedDeclaration, match="pool-is-faster: the id stands for a claim of lab"
    ):
        load(tmp_path, twice)
