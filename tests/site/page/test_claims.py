"""Claims on pages: a refuted one is content, and an unknown one is named."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts.site.declare.claims import load_claims
from scripts.site.declare.declarations import Declarations
from scripts.site.judge.claims import CheckedClaim, check_evidence
from scripts.site.judge.judge import Evidence
from scripts.site.page import claims, context, frame, show
from scripts.site.render.words import load_words
from tests.factories import (
    TERMS,
    make_experiment,
    make_interpreter,
    make_record,
    make_variant,
)
from tests.site.render.markup import make_evidence

GOOD = """schema = 2

[[claims]]
id = "pool-is-faster"
topic = "pools"
source = "us"
all = [{ metric = "wall_s", left = "04-io-thread_pool", right = "01-io-sequential", relation = "less" }]
confirmed = { en = "A pool is {ratio|times} faster.", ru = "Пул быстрее в {ratio|times}." }
refuted = { en = "Here a pool is slower.", ru = "Здесь пул медленнее." }
open = { en = "Too close to call.", ru = "Разница слишком мала." }
"""


Measured = dict[str, float]
"""Seconds of each program, by its name."""
PLAIN, POOL = "01-io-sequential", "04-io-thread_pool"
OLD, NEW = "cpython-3.13.0", "cpython-3.14.0t"


@contextmanager
def stand(
    folder: Path, monkeypatch: pytest.MonkeyPatch, machines: dict[str, Measured]
) -> Iterator[None]:
    """Let pages stand on machines, of which the first is shown; they open with the claim."""
    experiment = make_experiment(folder)
    evidences = []
    for machine, measured in machines.items():
        records = [
            make_record(make_variant(program=name, machine=machine), [seconds] * 5)
            for name, seconds in measured.items()
        ]
        evidences.append(make_evidence(records, experiment=experiment, machine=machine))

    def open_pipeline() -> SimpleNamespace:
        declared = Declarations(
            experiments={"lab": experiment},
            terms=TERMS,
            claims={"lab": load_claims(experiment, TERMS)},
            findings={"opening": ["pool-is-faster"]},
        )
        return SimpleNamespace(declared=declared, machine=evidences[0].machine, experiments=())

    for module in (context, frame, claims):
        monkeypatch.setattr(module, "open_pipeline", open_pipeline)
    monkeypatch.setattr(context, "gather_machines", lambda name: tuple(evidences))
    context.check_all.cache_clear()
    yield
    context.check_all.cache_clear()


def declare(folder: Path, text: str) -> None:
    (folder / "claims.toml").write_text(text, encoding="utf-8")


def list_places() -> list[str]:
    """Every place where a reader meets the claim."""
    return [claims.findings("opening"), claims.claims(), claims.claim("pool-is-faster")]


def test_what_is_ten_times_slower_on_another_machine_is_marked_wherever_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(tmp_path, GOOD)
    fast, slow = {PLAIN: 1.0, POOL: 0.5}, {PLAIN: 1.0, POOL: 5.0}
    with stand(tmp_path, monkeypatch, {"box": fast, "near": fast}):
        assert not any("otherwise on" in one for one in list_places())
    with stand(tmp_path, monkeypatch, {"box": fast, "near": fast, "far": slow}):
        for one in list_places():
            assert "otherwise on 1 of 3\N{NO-BREAK SPACE}machines" in one


def test_a_program_whose_times_are_swapped_turns_the_claim_in_every_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(tmp_path, GOOD)
    with stand(tmp_path, monkeypatch, {"box": {PLAIN: 1.0, POOL: 0.5}}):
        for one in list_places():
            assert "claim-confirmed" in one
            assert "Here a pool is slower" not in one
    with stand(tmp_path, monkeypatch, {"box": {PLAIN: 0.5, POOL: 1.0}}):
        for one in list_places():
            assert "claim-refuted" in one
            assert "Here a pool is slower" in one


def test_a_page_opens_without_what_is_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    declare(tmp_path, GOOD)
    with stand(tmp_path, monkeypatch, {"box": {PLAIN: 1.0}}):
        assert claims.findings("opening") == ""
        assert "A pool is" not in claims.claim("pool-is-faster")


def test_a_page_opens_with_its_own_claim_whole_and_gives_its_number_alone_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(tmp_path, GOOD)
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "opening.md").write_text('print(show.claim("pool-is-faster"))', encoding="utf-8")
    monkeypatch.setattr(context, "_docs", docs)
    place = context.Place(source="opening.md", url="opening/")
    monkeypatch.setattr(context, "_place", place)
    with stand(tmp_path, monkeypatch, {"box": {PLAIN: 1.0, POOL: 0.5}}):
        opening, below = claims.findings("opening"), claims.claim("pool-is-faster")
        assert claims.claim("pool-is-faster", once=True) == ""
    assert 'id="claim-pool-is-faster"' in opening
    assert "<details" in opening
    assert "times as fast" in below
    assert "A pool is" not in below
    assert "<details" not in below
    assert 'id="claim-pool-is-faster"' not in below
    assert 'href="#claim-pool-is-faster"' in below


def test_a_chart_shows_the_python_that_its_title_speaks_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = make_experiment(tmp_path)
    declare(tmp_path, GOOD)
    records = [
        make_record(make_variant(program=program, interpreter=python), [seconds] * 5)
        for python, program, seconds in ((OLD, PLAIN, 1.0), (NEW, PLAIN, 1.0), (NEW, POOL, 0.5))
    ]
    pythons = [make_interpreter(id=name) for name in (OLD, NEW)]
    evidence = make_evidence(records, pythons, experiment=experiment)
    (claim,) = load_claims(experiment, TERMS)
    found = CheckedClaim(experiment="lab", claim=claim, checks=check_evidence([claim], evidence))
    shown: list[Evidence] = []
    monkeypatch.setattr(context, "check_all", lambda: {claim.id: found})
    monkeypatch.setattr(show, "choose_words", lambda: load_words("en"))
    monkeypatch.setattr(show, "gather", lambda name: evidence)
    monkeypatch.setattr(show, "show_measured", lambda evidence, *_: shown.append(evidence))
    show.chart("lab", "io", claim=claim.id)
    show.chart("lab", "io")
    assert [one.interpreters[0].id for one in shown] == [NEW, OLD]
