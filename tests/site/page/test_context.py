"""A build looks again at what has changed, and only then; judged and shown is what is not kept."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from making import EXITED, make_record, make_variant, replace
from scripts.site.judge.evidence import Evidence
from scripts.site.page import context
from scripts.site.page.context import ALL, Place
from scripts.site.settings import Settings
from tests.factories import make_claim
from tests.site.render.markup import make_evidence

READ = {
    "examples/lab/experiment.toml": "lab",
    "examples/lab/01.py": "lab",
    "examples/server.py": ALL,
    "results/here/cpython.json": ALL,
    "docs/choices.toml": ALL,
    "docs/scenes/turns.toml": ALL,
    "pins.txt": ALL,
    "mkdocs.yml": ALL,
    "docs/theme/main.html": ALL,
}
CLAIM = make_claim(id="pool-is-faster")
digest_sources = context.digest_sources  # as it is, without the stand-in of this folder


@pytest.fixture(autouse=True)
def files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """What a pipeline reads, that nobody else changes; no pipeline is opened."""
    for name in READ:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    paths = {"EXAMPLES": "examples", "REQUIREMENTS": "pins.txt", "ROOT": "", "DOCS": "docs"}
    changes: dict[str, object] = {name: tmp_path / path for name, path in paths.items()}
    changes |= {"_state": (None, frozenset()), "_kept": [], "_changed": set(), "_shown": {}}
    for name, value in (changes | {"_complaints": []}).items():
        monkeypatch.setattr(context, name, value)
    monkeypatch.setenv("RESULTS", str(tmp_path / "results"))
    context.refresh()
    context.settle()
    return tmp_path


def refresh() -> set[str]:
    """Return what a new build finds changed, and makes its pages anew for."""
    calls: list[object] = []
    look = context.keep(lambda: calls.append(1))
    look()
    context.refresh()
    changed = set(context._changed)
    look()
    assert bool(changed) == (len(calls) == 2)
    context.settle()
    return changed


def test_a_build_after_which_nothing_changed_reads_nothing_again() -> None:
    assert refresh() == set()


@pytest.mark.parametrize(("name", "owner"), READ.items())
def test_a_changed_file_is_read_again_for_its_experiment_or_for_all(
    files: Path, name: str, owner: str
) -> None:
    path = files / name
    path.write_text("changed")
    assert refresh() == {owner}
    os.utime(path, (1, 1))
    assert refresh() == {owner}
    if path.name != "experiment.toml":  # without it there is no experiment
        path.unlink()
        assert refresh() == {owner}


def test_what_changed_while_pages_could_not_be_written_is_not_forgotten(files: Path) -> None:
    (files / "examples" / "lab" / "01.py").write_text("changed")
    context.refresh()
    context.refresh()
    assert context._changed == {"lab"}


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """A build on two experiments with a claim each; what its files come to is in ``sources``."""
    digests = {ALL: "1", "lab": "2", "den": "3"}
    failed = replace(make_record(), status="failed", reason=EXITED, timed=(), traced=())
    evidences = (make_evidence([failed]),)
    gathered: list[str] = []
    claims = {"lab": (CLAIM,), "den": (make_claim(id="den-is-faster"),)}

    def gather(name: str) -> tuple[Evidence, ...]:
        gathered.append(name)
        return evidences

    pipeline = SimpleNamespace(
        declared=SimpleNamespace(claims=claims, findings={"index": [CLAIM.id]}, experiments=claims),
        experiments=claims,
        gather_machines=gather,
        complaints=[],
    )
    monkeypatch.setattr(context, "open_pipeline", lambda: pipeline)
    monkeypatch.setattr(context, "digest_sources", lambda: digests)
    monkeypatch.setattr(context, "digest_shown", lambda: "")
    monkeypatch.setattr(context, "_digest_places", lambda language: "")
    yield SimpleNamespace(pipeline=pipeline, digests=digests, gathered=gathered, failed=failed)
    for kept in (context.judge, context.check_all, context._gather):
        kept.cache_clear()


def judge_anew(build: SimpleNamespace) -> list[str]:
    """Judge both in a new process; return which were gathered for it."""
    build.gathered.clear()
    for kept in (context.judge, context.check_all, context._gather):
        kept.cache_clear()
    assert context.check_all().keys() == {CLAIM.id, "den-is-faster"}
    assert context.judge("lab").failed == (build.failed,)
    return list(build.gathered)


def test_an_experiment_is_judged_again_where_its_files_or_those_of_all_have_changed(
    build: SimpleNamespace,
) -> None:
    assert judge_anew(build) == ["lab", "den"]
    assert judge_anew(build) == []
    build.digests["lab"] = "4"
    assert judge_anew(build) == ["lab"]
    build.digests[ALL] = "5"
    assert judge_anew(build) == ["lab", "den"]
    assert judge_anew(build) == []


def test_records_that_are_left_out_are_told_at_every_build(build: SimpleNamespace) -> None:
    build.pipeline.complaints.append("damaged")
    assert judge_anew(build) == judge_anew(build) == ["lab", "den"]


def show(*arguments: object, page: str = "lab.md", make: Callable[[], str] = str) -> bool:
    """Show a block on a page; tell whether it was made."""
    made: list[object] = []

    def note() -> str:
        made.append(1)
        return make() or "<p>block</p>"

    context.enter(Place(source=page, url=page))
    assert context.keep_block(("chart", arguments), arguments, note) == (make() or "<p>block</p>")
    return bool(made)


@pytest.mark.parametrize(
    ("argument", "changed"),
    [
        ("lab", {"lab", ALL}),
        ("lab/01-plain", {"lab", ALL}),
        (CLAIM.id, {"lab", ALL}),
        ("index", {"lab", ALL}),
        ("den", {"den", ALL}),
        ("gil-interval", {"lab", "den", ALL}),
    ],
)
def test_a_block_is_made_and_its_page_written_again_where_what_it_names_has_changed(
    build: SimpleNamespace, argument: str, changed: set[str]
) -> None:
    assert show(argument)
    assert not show(argument)
    assert show(argument, page="other.md")
    for name in build.digests:
        context._changed = {name}
        assert context.is_stale("en", "lab.md") == (name in changed)
        assert context.is_stale("en", "without-blocks.md") == (name == ALL)
        build.digests[name] += "+"
        assert show(argument) == (name in changed)
        assert not show(argument)


def test_a_block_that_warns_does_so_at_every_build(build: SimpleNamespace) -> None:
    def make() -> str:
        context.complain("damaged")
        return "<p>a part</p>"

    assert show("lab", make=make)
    assert show("lab", make=make)


def test_sources_are_digested_by_whose_they_are(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[object] = []
    record = make_record(make_variant())
    pipeline = SimpleNamespace(
        settings=Settings(results=files / "results"),
        measure=lambda: measured.append(1),
        **dict.fromkeys(("profile", "machine", "machines", "interpreters"), record),
    )
    monkeypatch.setattr(context, "open_pipeline", lambda: pipeline)

    def digest() -> dict[str, str]:
        digest_sources.cache_clear()
        return digest_sources()

    before = digest()
    assert before.keys() == {ALL, "lab"}
    assert measured
    assert digest() == before
    for name, owner in READ.items():
        (files / name).write_text("changed")
        after = digest()
        assert {key for key in before if after[key] != before[key]} == {owner}
        before = after
    digest_sources.cache_clear()
