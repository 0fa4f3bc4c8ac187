"""A build writes to a folder of its own, and ``make clean`` removes no other."""

import queue
import shutil
import threading
from pathlib import Path

import pytest

from scripts.site import output
from scripts.site.output import MARKER, ForeignFolder, claim_folder, hold_folder, remove_folder

ROOT = Path(__file__).parents[2]


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A repository in a home, neither of them this one."""
    home = tmp_path / "home"
    repository = home / "work" / "repository"
    (repository / "docs").mkdir(parents=True)
    (repository / "docs" / "index.md").touch()
    monkeypatch.setattr(output, "ROOT", repository)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(repository)
    return repository


def list_all(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


@pytest.mark.parametrize("name", ["", " ", "/", ".", "..", "~", "docs", "docs/index.md", "link"])
def test_what_is_not_ours_is_refused_in_a_sentence_and_left_as_it_was(
    repository: Path, name: str
) -> None:
    (repository / "link").symlink_to(repository.parent)
    name = str(Path.home()) if name == "~" else name
    before = list_all(Path.home())
    for touch in (claim_folder, remove_folder):
        with pytest.raises(ForeignFolder, match=r"\ASITE[^\n]+\Z"):
            touch(name)
    assert list_all(Path.home()) == before


@pytest.mark.parametrize("name", ["docs/en/new", "examples/new", "results/new", ".git/new"])
def test_no_site_is_built_among_what_it_is_made_of(repository: Path, name: str) -> None:
    with pytest.raises(ForeignFolder, match=r"\ASITE[^\n]+\Z"):
        claim_folder(name)
    assert not (repository / name).exists()


@pytest.mark.parametrize("results", ["site", "site/data", "site/../site/en/deep"])
def test_records_are_never_in_what_a_build_replaces(
    repository: Path, monkeypatch: pytest.MonkeyPatch, results: str
) -> None:
    claim_folder("site")
    record = repository / results / "machine" / "records.json"
    record.parent.mkdir(parents=True)
    record.touch()
    monkeypatch.setenv("RESULTS", results)
    for touch in (claim_folder, remove_folder):
        with pytest.raises(ForeignFolder, match=r"\ASITE=site holds [^\n]+\Z"):
            touch("site")
    assert record.exists()


@pytest.mark.parametrize("name", ["new", "new/deep", "empty", "a name; touch b 'c' $d"])
def test_a_new_or_empty_folder_is_taken_marked_and_removed(repository: Path, name: str) -> None:
    (repository / "empty").mkdir()
    folder = claim_folder(name)
    assert (repository / name / MARKER).is_file()
    (folder / "en").mkdir()
    assert claim_folder(name) == folder
    remove_folder(name)
    assert not folder.exists()
    remove_folder(name)


def build_into(folder: Path) -> None:
    """What a build leaves, about."""
    (folder / "en" / "matrix").mkdir(parents=True)
    (folder / "en" / "matrix" / "index.html").touch()
    (folder / "index.html").touch()


@pytest.mark.parametrize("foreign", [True, False])
def test_a_copy_of_a_site_is_not_ours_though_its_mark_was_copied_too(
    repository: Path, foreign: bool
) -> None:
    build_into(claim_folder("built"))
    copied = repository / "www"
    shutil.copytree(repository / "built", copied)
    if foreign:
        (copied / "thesis.odt").touch()
    before = list_all(copied)
    for touch in (claim_folder, remove_folder):
        with pytest.raises(ForeignFolder, match=r"\ASITE=www [^\n]+\Z"):
            touch("www")
    assert list_all(copied) == before


def test_what_others_put_into_a_site_stays_and_is_named(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = claim_folder("built")
    build_into(folder)
    (folder / "CNAME").write_text("example.org")
    (folder / "pagefind").symlink_to(repository / "docs")
    remove_folder("built")
    assert {path.name for path in folder.iterdir()} == {"CNAME", MARKER}
    assert "'CNAME'" in capsys.readouterr().out
    assert (repository / "docs" / "index.md").exists()
    assert claim_folder("built") == folder


def test_the_default_folder_moves_with_its_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_into(claim_folder("site"))
    moved = repository.with_name("moved")
    repository.rename(moved)
    monkeypatch.setattr(output, "ROOT", moved)
    monkeypatch.chdir(moved)
    assert claim_folder("site") == moved / "site"


def test_who_would_fill_a_folder_that_another_build_fills_says_so_and_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    told: queue.Queue[str] = queue.Queue()
    monkeypatch.setattr(output, "print", lambda text, **_: told.put(text), raising=False)

    def build() -> None:
        with hold_folder(tmp_path):
            done.append("second")

    second = threading.Thread(target=build)
    with hold_folder(tmp_path):
        second.start()
        assert "waiting" in told.get(timeout=60)
        done.append("first")
    second.join()
    assert done == ["first", "second"]
