"""The root step writes what stands above the languages, and leaves nothing of a former build."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from making import make_record
from scripts.site.page import root
from tests.factories import make_experiment
from tests.site.render.markup import make_evidence
from tests.site.render.test_claims import EN, RU


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where a site of one experiment gets its root; without pages, a search and timelines."""
    experiment = make_experiment(tmp_path / "lab")
    experiment.folder.mkdir()
    for program in experiment.programs:
        (experiment.folder / program.file).write_text("pass\n")
    evidence = make_evidence([make_record()], experiment=experiment)
    pipeline = SimpleNamespace(experiments={"lab": experiment})
    monkeypatch.setattr(root, "open_pipeline", lambda: pipeline)
    monkeypatch.setattr(root, "gather_machines", lambda name: (evidence, evidence))
    for name in ("check_all", "list_signs"):
        monkeypatch.setattr(root, name, dict)
    monkeypatch.setattr(root, "index_pages", lambda site: None)
    monkeypatch.setattr(root, "write_traces", lambda folder: None)
    return tmp_path / "site"


def list_files(site: Path) -> set[str]:
    return {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()}


def test_data_and_programs_are_there_and_nothing_of_a_former_build(site: Path) -> None:
    root.finish_site(site)
    wanted = list_files(site)
    assert wanted >= {
        *("data/results.csv", "data/lab.csv", "data/lab-io.csv", "data/claims.json"),
        *("data/records.schema.json", "examples/lab/01-io-sequential.py", "examples/lab.zip"),
    }
    for name in ("data/gone.csv", "examples/gone/01-p.py"):
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).touch()
    (site / "sitemap.xml").touch()
    root.finish_site(site)
    assert list_files(site) == wanted


def test_the_sitemap_lists_both_languages_only_where_the_address_is_known(tmp_path: Path) -> None:
    root.write_pages(tmp_path, [EN, RU], "")
    assert not (tmp_path / "sitemap.xml").exists()
    root.write_pages(tmp_path, [EN, RU], "https://example.org/fork/")
    sitemap = (tmp_path / "sitemap.xml").read_text(encoding="utf-8")
    assert "https://example.org/fork/ru/sitemap.xml" in sitemap


def test_assistants_are_led_to_the_pages_and_the_answers_of_each_language(tmp_path: Path) -> None:
    (tmp_path / "ru").mkdir()
    listed = "- [URL](answers/fetch/index.md.txt): Many.\n- [GIL](theory/gil/index.md.txt)\n"
    (tmp_path / "ru" / "llms.txt").write_text(listed)
    root.write_pages(tmp_path, [EN, RU], "")
    lines = (tmp_path / "llms.txt").read_text(encoding="utf-8").splitlines()
    assert f"- [English](en/llms.txt): {EN.text('llms_about')}" in lines
    assert "- [URL](ru/answers/fetch/index.md.txt): Many." in lines
    assert not [line for line in lines if "theory" in line]
