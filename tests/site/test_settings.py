"""Settings that mean nothing are refused in a sentence, and a build writes to no folder but its own."""

import shutil
from pathlib import Path

import pytest

from scripts.site import settings
from scripts.site.settings import MARKER, BadSetting, claim_folder, read_settings


@pytest.mark.parametrize("fresh", ["0", "1"])
def test_where_measuring_is_forbidden_nothing_is_measured_anew_either(fresh: str) -> None:
    assert read_settings({"MEASURE": "0", "FRESH": fresh}).measure == "nothing"


@pytest.mark.parametrize(
    ("name", "value", "possible"),
    [
        ("PROFILE", "huge", "smoke, quick, full"),
        ("FRESH", "yes", "0, 1"),
        ("MEASURE", "2", "0, 1"),
        ("MEASURING", "yes", "0, 1"),
        ("FAILURES", "ignore", "stop, tell"),
    ],
)
def test_an_unknown_value_names_the_possible_ones(name: str, value: str, possible: str) -> None:
    with pytest.raises(BadSetting, match=rf"{name}={value} is not known; possible: {possible}"):
        read_settings({name: value})


def test_of_several_machines_each_names_its_python() -> None:
    with pytest.raises(BadSetting, match="b/PYTHON"):
        read_settings({"MACHINE": "a/cpython-3.14.7,b"})
    assert read_settings({"MACHINE": "b"}).machine == "b"


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A repository in a home, neither of them this one."""
    home = tmp_path / "home"
    repository = home / "work" / "repository"
    (repository / "docs").mkdir(parents=True)
    (repository / "docs" / "index.md").touch()
    monkeypatch.setattr(settings, "ROOT", repository)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(repository)
    return repository


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "/", ".", "..", "~", "docs", "docs/index.md", "link"),
        *("docs/en/new", "examples/new", "results/new", ".git/new"),
    ],
)
def test_what_is_not_ours_is_refused_in_a_sentence_and_left_as_it_was(
    repository: Path, name: str
) -> None:
    (repository / "link").symlink_to(repository.parent)
    before = sorted(Path.home().rglob("*"))
    with pytest.raises(BadSetting, match=r"\ASITE[^\n]+\Z"):
        claim_folder(str(Path.home()) if name == "~" else name)
    assert sorted(Path.home().rglob("*")) == before


@pytest.mark.parametrize("results", ["site", "site/data", "site/../site/en/deep"])
def test_records_are_never_in_what_a_build_replaces(
    repository: Path, monkeypatch: pytest.MonkeyPatch, results: str
) -> None:
    claim_folder("site")
    record = repository / results / "machine" / "records.json"
    record.parent.mkdir(parents=True)
    record.touch()
    monkeypatch.setenv("RESULTS", results)
    with pytest.raises(BadSetting, match=r"\ASITE=site contains [^\n]+\Z"):
        claim_folder("site")


@pytest.mark.parametrize("name", ["new", "new/deep", "empty", "a name; touch b 'c' $d"])
def test_a_new_or_empty_folder_is_taken_and_marked(repository: Path, name: str) -> None:
    (repository / "empty").mkdir()
    folder = claim_folder(name)
    assert (repository / name / MARKER).is_file()
    (folder / "en").mkdir()
    assert claim_folder(name) == folder


def test_a_copy_of_a_site_is_not_ours_though_its_mark_was_copied_too(repository: Path) -> None:
    claim_folder("built")
    shutil.copytree(repository / "built", repository / "www")
    with pytest.raises(BadSetting, match=r"\ASITE=www [^\n]+\Z"):
        claim_folder("www")


def test_the_default_folder_moves_with_its_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim_folder("site")
    moved = repository.with_name("moved")
    repository.rename(moved)
    monkeypatch.setattr(settings, "ROOT", moved)
    monkeypatch.chdir(moved)
    assert claim_folder("site") == moved / "site"


@pytest.mark.parametrize("address", ["ftp://x y", "ftp://host/", "https://a b/", "https:///a", "x"])
def test_an_address_that_no_browser_opens_is_refused_with_what_is_possible(address: str) -> None:
    with pytest.raises(BadSetting, match=r"SITE_URL=[^\n]+ possible: [^\n]+https://[^\n]+\Z"):
        read_settings({"SITE_URL": address})
    read_settings({"SITE_URL": "https://host.example/python"})
