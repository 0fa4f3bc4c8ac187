"""Claims on pages: a refuted one is content, and an unknown one is named."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts.site.declare.declarations import Declarations
from scripts.site.page import context, frame, show
from tests.factories import (
    PLAIN,
    POOL,
    TERMS,
    make_claim,
    make_experiment,
    make_record,
    make_variant,
)
from tests.site.render.markup import make_evidence

CLAIM = make_claim(
    id="pool-is-faster",
    topic="pools",
    confirmed={"en": "A pool is {ratio|times} faster."},
    refuted={"en": "Here a pool is slower."},
    open={"en": "Too close to call."},
)
Measured = dict[str, float]
"""Seconds of each program, by its name."""


@contextmanager
def stand(monkeypatch: pytest.MonkeyPatch, machines: dict[str, Measured]) -> Iterator[None]:
    """Let pages stand on machines, of which the first is shown; they open with the claim."""
    experiment = make_experiment()
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
            claims={"lab": (CLAIM,)},
            findings={"opening": [CLAIM.id]},
        )
        return SimpleNamespace(declared=declared, machine=evidences[0].machine, experiments=())

    for module in (context, frame, show):
        monkeypatch.setattr(module, "open_pipeline", open_pipeline)
    monkeypatch.setattr(context, "gather_machines", lambda name: tuple(evidences))
    context.check_all.cache_clear()
    yield
    context.check_all.cache_clear()


def list_places() -> list[str]:
    """Every place where a reader meets the claim."""
    return [show.findings("opening"), show.claims(), show.claim("pool-is-faster")]


def test_what_is_ten_times_slower_on_another_machine_is_marked_wherever_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fast, slow = {PLAIN: 1.0, POOL: 0.5}, {PLAIN: 1.0, POOL: 5.0}
    with stand(monkeypatch, {"box": fast, "near": fast}):
        assert not any("otherwise on" in one for one in list_places())
    with stand(monkeypatch, {"box": fast, "near": fast, "far": slow}):
        for one in list_places():
            assert "otherwise on 1 of 3\N{NO-BREAK SPACE}machines" in one


def test_a_program_whose_times_are_swapped_turns_the_claim_in_every_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with stand(monkeypatch, {"box": {PLAIN: 1.0, POOL: 0.5}}):
        for one in list_places():
            assert "claim-confirmed" in one
            assert "Here a pool is slower" not in one
    with stand(monkeypatch, {"box": {PLAIN: 0.5, POOL: 1.0}}):
        for one in list_places():
            assert "claim-refuted" in one
            assert "Here a pool is slower" in one


def test_a_page_opens_without_what_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    with stand(monkeypatch, {"box": {PLAIN: 1.0}}):
        assert show.findings("opening") == ""
        assert "A pool is" not in show.claim("pool-is-faster")


def test_a_page_opens_with_its_own_claim_whole_and_gives_its_number_alone_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "opening.md").write_text('print(show.claim("pool-is-faster"))')
    monkeypatch.setattr(context, "DOCS", tmp_path)
    place = context.Place(source="opening.md", url="opening/")
    monkeypatch.setattr(context, "_place", place)
    with stand(monkeypatch, {"box": {PLAIN: 1.0, POOL: 0.5}}):
        opening, below = show.findings("opening"), show.claim("pool-is-faster")
        assert show.claim("pool-is-faster", once=True) == ""
    assert 'id="claim-pool-is-faster"' in opening
    assert "<details" in opening
    assert "times as fast" in below
    assert "A pool is" not in below
    assert "<details" not in below
    assert 'id="claim-pool-is-faster"' not in below
    assert 'href="#claim-pool-is-faster"' in below
