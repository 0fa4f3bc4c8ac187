"""A claims file is read as it stands, or refused with its file, line and claim."""

from dataclasses import replace
from pathlib import Path

import pytest

from scripts.judge.claim import load_claims
from scripts.measure.declaration import MalformedDeclaration
from scripts.measure.experiment import EXAMPLES, find_experiments
from tests.factories import make_experiment

GOOD = """schema = 1

[[claims]]
id = "pool-is-faster"
topic = "io"
source = "us"
all = [{ metric = "wall_s", left = "04-io-thread_pool", right = "01-io-sequential", relation = "less" }]
[claims.text]
en = "A pool takes {left} on {cores}."
ru = "Пул занимает {left}: {cores}."
"""


def load(folder: Path, text: str) -> object:
    (folder / "claims.toml").write_text(text, encoding="utf-8")
    return load_claims(replace(make_experiment(), folder=folder))


def test_a_claim_is_read_with_its_defaults(tmp_path: Path) -> None:
    (tmp_path / "claims.toml").write_text(GOOD, encoding="utf-8")
    (claim,) = load_claims(replace(make_experiment(), folder=tmp_path))
    assert claim.id == "pool-is-faster"
    assert claim.all[0].margin == 1.1
    assert claim.where.cores is None


def test_an_experiment_may_claim_nothing(tmp_path: Path) -> None:
    assert load_claims(replace(make_experiment(), folder=tmp_path)) == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('left = "04-io-thread_pool"', 'left = "99-io-none"', "no such program '99-io-none'"),
        ('right = "01-io-sequential"', 'right = "0"', "no such program '0'"),
        ('relation = "less" }', 'relation = "less", margin = 0.9 }', "a factor of at least 1"),
        ("{left} on", "{wrong} on", "no such place {wrong}"),
        ('id = "pool-is-faster"', 'id = "Pool is faster"', "lower-case words"),
        ('relation = "less"', 'relation = "smaller"', "smaller"),
        ('metric = "wall_s"', 'metric = "speed"', "speed"),
        ('topic = "io"', 'topic = "io"\ncolour = "red"', "colour"),
        ("all = [", 'mark = { program = "01-io-sequential", verdicts = [] }\nall = [', "a mark"),
    ],
)
def test_a_malformed_claim_is_refused_and_named(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in GOOD
    with pytest.raises(MalformedDeclaration, match=r"claims\.toml:\d+") as caught:
        load(tmp_path, GOOD.replace(old, new))
    assert said in str(caught.value)


def test_an_id_stands_for_one_claim(tmp_path: Path) -> None:
    twice = GOOD + GOOD.removeprefix("schema = 1\n")
    with pytest.raises(MalformedDeclaration, match="pool-is-faster: an id stands for one"):
        load(tmp_path, twice)


@pytest.mark.parametrize("experiment", find_experiments(EXAMPLES), ids=lambda one: one.name)
def test_the_claims_of_every_experiment_can_be_read(experiment: object) -> None:
    load_claims(experiment)  # type: ignore[arg-type]
