"""A claim that cannot stand on a page breaks the build and names itself; a refuted one does not."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts.declare.declaration import MalformedDeclaration
from scripts.judge.evidence import Evidence
from scripts.judge.judge import judge_records
from scripts.page import context, show
from tests.factories import (
    make_experiment,
    make_interpreter,
    make_machine,
    make_record,
    make_variant,
)

GOOD = """schema = 1

[[claims]]
id = "pool-is-faster"
topic = "pools"
source = "us"
all = [{ metric = "wall_s", left = "04-io-thread_pool", right = "01-io-sequential", relation = "less" }]
text = { en = "{left} on {cores|cores}", ru = "{left} на {cores|cores}" }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of an experiment whose pool is slower than its baseline."""
    experiment = replace(make_experiment(), folder=tmp_path)
    records = [
        make_record(make_variant(program="01-io-sequential"), [1.0] * 5),
        make_record(make_variant(program="04-io-thread_pool"), [2.0] * 5),
    ]
    evidence = Evidence(
        experiment=experiment,
        profile="quick",
        machine=make_machine(),
        interpreters=(make_interpreter(),),
        judgements=judge_records(experiment, records),
        generated_at=datetime(2026, 1, 2, tzinfo=UTC),
    )
    pipeline = SimpleNamespace(experiments={"lab": experiment})
    monkeypatch.setattr(context, "open_pipeline", lambda: pipeline)
    monkeypatch.setattr(context, "gather", lambda name: evidence)
    for cached in (context.check_all, context.list_claims):
        cached.cache_clear()
    yield tmp_path
    for cached in (context.check_all, context.list_claims):
        cached.cache_clear()


def declare(folder: Path, text: str) -> None:
    (folder / "claims.toml").write_text(text, encoding="utf-8")


def test_a_refuted_claim_is_content(folder: Path) -> None:
    declare(folder, GOOD)
    assert "refuted" in show.claim("pool-is-faster")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('topic = "pools"', 'topic = "gossip"', "gossip"),
        ("{left} on {cores|cores}", "{left} on {cores|apples}", "apples"),
        (', ru = "{left} на {cores|cores}"', "", "no sentence in 'ru'"),
        ("{left} on", "{middle} on", "{middle}"),
    ],
)
def test_a_malformed_claim_breaks_the_build_and_names_itself(
    folder: Path, old: str, new: str, said: str
) -> None:
    assert old in GOOD
    declare(folder, GOOD.replace(old, new))
    with pytest.raises(MalformedDeclaration, match="pool-is-faster") as caught:
        show.claims()
    assert said in str(caught.value)
    assert "claims.toml" in str(caught.value)


def test_a_page_that_asks_for_an_unknown_claim_is_told_which(folder: Path) -> None:
    declare(folder, GOOD)
    with pytest.raises(KeyError, match="no-such-claim"):
        show.claim("no-such-claim")


def test_a_list_by_topic_has_no_filters_and_the_whole_list_has(folder: Path) -> None:
    declare(folder, GOOD)
    assert "<form" not in show.claims(topic="pools")
    assert 'id="claim-pool-is-faster"' in show.claims(topic="pools")
    assert "<form" in show.claims()
    assert "data/claims.json" in show.claims()
