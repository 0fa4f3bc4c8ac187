"""The bench asks for GNU time by trying it, and adds up what programs took from records alone."""

import gzip
from pathlib import Path

import pytest

from bench import budgets
from bench.benchmark import Benchmark
from scripts.harness.rounds import OVERHEAD_S
from tests.factories import make_record, make_variant, replace
from tests.site.render.markup import make_evidence


def put(folder: Path, name: str, text: str) -> None:
    """A program that stands on PATH."""
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize(
    ("programs", "found"),
    [
        ({"time": "exit 0"}, "time"),
        ({"time": "echo 'illegal option -- q' >&2; exit 1"}, None),
        ({"time": "exit 1", "gtime": "exit 0"}, "gtime"),
        ({}, None),
    ],
)
def test_gnu_time_is_what_knows_its_options(
    programs: dict[str, str],
    found: str | None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    for name, text in programs.items():
        put(tmp_path, name, text)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert budgets.find_gnu_time() == (str(tmp_path / found) if found else None)


def test_a_traced_trial_counts_as_long_as_it_was_watched() -> None:
    records = [
        make_record(walls=[2.0, 4.0]),
        make_record(make_variant(cores=2), walls=[1.0, 1.0, 1.0]),
    ]
    assert [len(record.traced) for record in records] == [1, 1]
    expected_s = (6.0 + 0.5) + (3.0 + 0.5) + 7 * OVERHEAD_S
    assert budgets.add_up([make_evidence(records)]) == pytest.approx(expected_s)


def test_where_a_record_is_missing_there_is_no_sum() -> None:
    absent = replace(make_record(make_variant(cores=2)), status="unavailable", timed=(), traced=())
    whole = make_evidence([make_record()])
    assert budgets.add_up([whole, make_evidence([make_record(), absent])]) is None
    assert budgets.add_up([whole, make_evidence([])]) is None


def test_the_parts_named_are_measured_and_no_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = {
        name: lambda name=name, taken=taken: [Benchmark.bound(name, taken, 2, "s")]
        for name, taken in (("build", 1.0), ("save", 2.0), ("start", 3.0))
    }
    monkeypatch.setattr(budgets, "PARTS", parts)
    assert budgets.run_bench(["save"]) == 0
    assert capsys.readouterr().out == "kept    save: 2.0 s (budget: 2 s)\n"
    assert budgets.run_bench([]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "MISSED  start: 3.0 s (budget: 2 s)"


def test_a_visit_weighs_what_a_page_loads_each_once_whatever_follows_its_path(
    tmp_path: Path,
) -> None:
    page, picture = tmp_path / "en" / "index.html", tmp_path / "picture.svg"
    page.parent.mkdir()
    picture.write_text("<svg/>")
    page.write_text(
        "".join(f'<img src="../picture.svg{end}">' for end in ("", "#only-light", "?1"))
    )
    files = (page, picture)
    weight = sum(len(gzip.compress(file.read_bytes())) for file in files)
    assert budgets.weigh_page(page, tmp_path) == weight
    page.write_text('<img src="https://example.org/picture.svg">')
    with pytest.raises(ValueError, match="outside the site"):
        budgets.weigh_page(page, tmp_path)
