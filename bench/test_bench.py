"""The bench finds GNU time, holds decisions against budgets, and says how sure it is."""

import gzip
import random
from pathlib import Path
from typing import Self

import pytest

from bench import budgets, decisions, faults
from bench.benchmark import estimate_share
from bench.weight import count_words
from making import make_interpreter, make_machine, make_record, replace
from poolwise.process import Command, Outcome
from poolwise.record import Results
from poolwise.store import locate, write_results
from scripts.site.declare.declarations import Declarations
from tests.site.render.markup import make_evidence


def test_a_fault_is_lost_if_it_has_cost_anything_and_what_that_is_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tries = {"killed": lambda lab: iter(([], ["a traceback", "left: a part"], []))}
    campaign = faults.run_campaign(faults.Lab(tmp_path), tries)
    assert [(tally.tried, tally.lost) for tally in campaign.tallies] == [(3, 1)]
    said = capsys.readouterr()
    assert said.out.splitlines()[1].split() == ["killed", "3", "2", "1"]
    assert said.err.splitlines() == ["  killed: a traceback", "  killed: left: a part"]


def test_a_trial_that_is_there_no_more_is_lost(tmp_path: Path) -> None:
    lab, record = faults.Lab(tmp_path), make_record()
    place = locate(Path(), "box", "cpython-3.13.0")
    for folder, kept in ((lab.before, record), (lab.results, replace(record, timed=()))):
        results = Results(machine=make_machine(), interpreter=make_interpreter(), records=(kept,))
        write_results(folder / place, results)
    (tmp_path / "temporary").mkdir()
    assert lab.look("") == [f"lost: {record.variant}"]
    write_results(
        lab.results / place,
        Results(machine=make_machine(), interpreter=make_interpreter(), records=(record,)),
    )
    assert lab.look("") == []
    assert len(lab.look("Traceback (most recent call last)\nX")) == 1


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
    programs: dict[str, str], found: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, text in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert budgets.find_gnu_time() == (str(tmp_path / found) if found else None)


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


USAGE = ("ru_utime", "ru_stime", "ru_maxrss")


class FakeLauncher:
    """Runs nothing: the times that it tells differ by a tenth."""

    def __init__(self) -> None:
        self._chance = random.Random(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to end."""

    def run(self, command: Command) -> Outcome:
        wall_s = self._chance.lognormvariate(0.0, 0.1)
        return Outcome(exit_code=0, wall_s=wall_s, usage=dict.fromkeys(USAGE, 0.0))


def test_pairs_of_the_same_program_are_not_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "Launcher", FakeLauncher)
    monkeypatch.setattr(decisions, "PAIRS", 3)
    finding, *_ = decisions.try_pairs()
    assert finding.kept
    assert finding.value == "0.0%"


@pytest.mark.parametrize(
    ("shares", "kept"),
    [({"decided": 0.95, "open": 0.05}, [True]), ({"decided": 0.9, "open": 0.1}, [False]), ({}, [])],
)
def test_the_share_of_checks_that_are_decided_is_told_if_there_are_any(
    shares: dict[str, float], kept: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Recorded:
        experiments = ("lab",)
        declared = Declarations(experiments={})

        def __init__(self, settings: object) -> None:
            """Whatever is asked for, the records are there."""

        def gather(self, name: str) -> object:
            return make_evidence([make_record()])

    class Look:
        def count_shares(self) -> dict[str, float]:
            return shares

    monkeypatch.setattr(decisions, "Pipeline", Recorded)
    monkeypatch.setattr(decisions, "take_look", lambda *_: Look())
    assert [finding.kept for finding in decisions.count_decided()] == kept


def test_each_budget_is_measured_by_a_part_or_a_command_and_no_part_has_none() -> None:
    rows = budgets.read_rows()
    assert all(len({"parts", "command"} & row.keys()) == 1 for row in rows)
    assert {part for row in rows for part in row.get("parts", ())} == budgets.PARTS.keys()


def test_words_are_counted_as_they_are_shown() -> None:
    html = "<p>no</p><article>two words<details><summary>more</summary><p>folded</p></details>"
    html += "<figure><figcaption>drawn</figcaption></figure></article>"
    assert count_words(html) == 3


@pytest.mark.parametrize(
    ("count", "of", "interval"),
    [(19, 20, (0.764, 0.991)), (0, 10, (0.0, 0.278)), (81, 263, (0.255, 0.366))],
)
def test_a_share_has_the_interval_of_published_examples(
    count: int, of: int, interval: tuple[float, float]
) -> None:
    assert estimate_share(count, of) == pytest.approx(interval, abs=1e-3)
