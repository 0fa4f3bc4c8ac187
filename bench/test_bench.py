"""The bench finds GNU time, holds decisions against budgets, compares sites, and says how sure it is."""

import gzip
import random
from pathlib import Path
from typing import Self

import pytest

from bench import budgets, decisions
from bench.benchmark import estimate_share
from bench.sites import compare_sites, read_page
from scripts.harness.process import Command, Outcome
from scripts.site.declare.declarations import Declarations
from tests.factories import make_record
from tests.site.render.markup import make_evidence


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
    [
        ({"decided": 0.95, "open": 0.05}, [True]),
        ({"decided": 0.9, "open": 0.1}, [False]),
        ({}, []),
    ],
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


PAGE = '<h1 id="top">Threads</h1><p>They <b>wait</b>.</p><a href="../other/#there">on</a>'
OTHER = '<h2 id="there">There</h2>'


@pytest.fixture
def compare(tmp_path):
    def compare(old, new):
        for site, pages in (("old", old), ("new", new)):
            for name, text in pages.items():
                path = tmp_path / site / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        return list(compare_sites(tmp_path / "old", tmp_path / "new"))

    return compare


def site(page=PAGE, other=OTHER, **more):
    return {"page/index.html": page, "other/index.html": other, **more}


def test_sites_that_look_alike_do_not_differ(compare):
    built_anew = PAGE.replace("<p>", '<p class="new" >').replace("Threads", " Threads\n")
    assert compare(site(), site(built_anew)) == []


def test_what_changes_with_each_build_does_not_count(compare):
    old = site("<p>Built 2026-11-23 12:07 of 0badc0de12</p>", **{"a.1234567f.css": "b"})
    new = site("<p>Built 2027-01-02 09:30 of 1badc0de13</p>", **{"a.7654321f.css": "b"})
    assert compare(old, new) == []


def test_pages_anchors_links_and_data_are_told(compare):
    old = site(**{"gone/index.html": "", "rows.csv": "1"})
    new = site(other='<h2 id="elsewhere">There</h2>', **{"rows.csv": "2"})
    assert compare(old, new) == [
        "only in the old site: gone/index.html",
        "anchor lost: other/index.html#there",
        "link broken: /other#there",
        "data differ: rows.csv",
    ]


def test_what_is_drawn_is_read_but_its_ids_are_its_own():
    page = read_page('<p id="a">one</p><svg><g id="b"><text>two</text></g></svg><script>x</script>')
    assert (page.lines, page.anchors) == (["one", "two"], {"a"})


@pytest.mark.parametrize(
    ("count", "of", "interval"),
    [(19, 20, (0.764, 0.991)), (0, 10, (0.0, 0.278)), (81, 263, (0.255, 0.366))],
)
def test_a_share_has_the_interval_of_published_examples(
    count: int, of: int, interval: tuple[float, float]
) -> None:
    assert estimate_share(count, of) == pytest.approx(interval, abs=1e-3)
