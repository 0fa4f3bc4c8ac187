"""Claims on pages: a refuted one is content, and an unknown one is named."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts.site.declare.claims import load_claims
from scripts.site.declare.declarations import Declarations
from scripts.site.judge.judge import Evidence, judge_records
from scripts.site.page import context, frame, show
from tests.factories import (
    TERMS,
    make_experiment,
    make_interpreter,
    make_machine,
    make_record,
    make_variant,
)

GOOD = """schema = 2

[[claims]]
id = "pool-is-faster"
topic = "pools"
source = "us"
all = [{ metric = "wall_s", left = "04-io-thread_pool", right = "01-io-sequential", relation = "less" }]
confirmed = { en = "{left} on {cores|cores}", ru = "{left} на {cores|cores}" }
refuted = { en = "{left} on {cores|cores}", ru = "{left} на {cores|cores}" }
open = { en = "{left} on {cores|cores}", ru = "{left} на {cores|cores}" }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of an experiment whose pool is slower than its baseline."""
    experiment = make_experiment(tmp_path)
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

    def open_pipeline() -> SimpleNamespace:
        claims = {"lab": load_claims(experiment, TERMS)}
        return SimpleNamespace(
            declared=Declarations(experiments={"lab": experiment}, terms=TERMS, claims=claims),
            machine=evidence.machine,
        )

    for module in (context, frame):
        monkeypatch.setattr(module, "open_pipeline", open_pipeline)
    monkeypatch.setattr(context, "gather_machines", lambda name: (evidence,))
    context.check_all.cache_clear()
    yield tmp_path
    context.check_all.cache_clear()


def declare(folder: Path, text: str) -> None:
    (folder / "claims.toml").write_text(text, encoding="utf-8")


def test_a_refuted_claim_is_content(folder: Path) -> None:
    declare(folder, GOOD)
    assert "refuted" in show.claim("pool-is-faster")


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
