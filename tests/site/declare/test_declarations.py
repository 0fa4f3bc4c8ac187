"""All that is declared is read together, once, for build and check, as it stands or not at all."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError

from making import alter, write_experiment
from poolwise.declaration import MalformedDeclaration
from poolwise.experiment import Experiment, load_experiment
from scripts.site.declare.addresses import read_addresses
from scripts.site.declare.claims import Claim, Side, list_sides, load_all_claims
from scripts.site.declare.declarations import load_declarations, load_findings
from scripts.site.declare.texts import list_languages, read_catalogue
from scripts.site.page import context, hooks
from scripts.site.paths import CHOICES, DOCS, ROOT
from scripts.site.study import pipeline
from tests.declared import DECLARED
from tests.factories import CLAIMS, TERMS


def test_a_build_ends_with_what_is_wrong_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_experiment(tmp_path / "examples" / "lab")
    path = tmp_path / "examples" / "lab" / "claims.toml"
    path.write_text(re.sub("ru = .*\n", "", CLAIMS, count=1), encoding="utf-8")
    monkeypatch.setattr(
        pipeline, "load_declarations", lambda: load_declarations(tmp_path / "examples", CHOICES)
    )
    monkeypatch.setattr(pipeline, "collect", lambda *_: pytest.fail("measured"))
    with pytest.raises(PluginError) as caught:
        hooks.on_config(load_config(str(ROOT / "mkdocs.yml")))
    context.refresh()
    line = CLAIMS.splitlines().index("[claims.says]") + 1
    where = f"{path}:{line}: claims[0].says"
    assert str(caught.value) == f"{where}: two-is-faster: no text in 'ru'"


def declare(folder: Path, text: str = CLAIMS) -> Experiment:
    write_experiment(folder)
    (folder / "claims.toml").write_text(text, encoding="utf-8")
    return load_experiment(folder)


def load(experiment: Experiment) -> tuple[Claim, ...]:
    return load_all_claims([experiment], TERMS)[experiment.name]


def test_a_side_is_a_program_called_so_in_the_first_of_its_families_with_most_tasks_and_workers(
    tmp_path: Path,
) -> None:
    experiment = alter(declare(tmp_path), "programs", "two", families=["cpu", "io"])
    (claim,) = load(experiment)
    left, right = list_sides(claim)
    titles = [experiment.program(name).title for name in ("two", "one")]
    family = experiment.family("io").title
    assert left == Side(program="two", family="cpu", names={"program": titles[0], "family": {}})
    names = {"program": titles[1], "family": family}
    assert right == Side(program="one", family="io", tasks="most", workers="most", names=names)


@pytest.mark.parametrize(
    ("family", "claim", "at"),
    [
        ({}, {}, {"tasks": "tasks", "workers": "threads", "cores": "cores_nominative"}),
        (
            {"tasks": "pages", "SIZE": "rows"},
            {"tasks": "urls", "cores": ""},
            {"tasks": "urls", "SIZE": "rows", "cores": "", "workers": "threads"},
        ),
    ],
)
def test_what_a_claim_leaves_unsaid_of_its_number_its_family_names_or_its_programs(
    tmp_path: Path, family: dict[str, str], claim: dict[str, str], at: dict[str, str]
) -> None:
    def write(nouns: dict[str, str]) -> str:
        return "{" + ", ".join(f'{name} = "{noun}"' for name, noun in nouns.items()) + "}"

    text = CLAIMS.replace("schema = 3\n", f"schema = 3\nat.io = {write(family)}\n")
    text = text.replace('topic = "io"\n', f'topic = "io"\nat = {write(claim)}\n')
    (loaded,) = load(declare(tmp_path, text))
    assert list(loaded.at.items()) == list(at.items())


def test_an_id_stands_for_one_claim(tmp_path: Path) -> None:
    twice = declare(tmp_path / "lab", CLAIMS + CLAIMS.removeprefix("schema = 3\n"))
    with pytest.raises(MalformedDeclaration, match="two-is-faster: the id stands for a claim of"):
        load(twice)


@pytest.mark.parametrize(
    ("ids", "said"), [('["three"]', "no such claim 'three'"), ('["one", "one"]', "twice")]
)
def test_a_finding_that_is_no_claim_or_stands_there_twice_is_refused(
    tmp_path: Path, ids: str, said: str
) -> None:
    path = tmp_path / "findings.toml"
    path.write_text(f"[findings]\nlab = {ids}\n", encoding="utf-8")
    with pytest.raises(MalformedDeclaration, match=rf"findings\.toml:\d+: findings\.lab.*{said}"):
        load_findings(path, ["one", "two"])


def test_no_file_is_no_finding(tmp_path: Path) -> None:
    assert load_findings(tmp_path / "findings.toml", []) == {}


def test_a_page_of_theory_opens_with_claims_that_stand_on_it_or_title_a_picture() -> None:
    findings = DECLARED.findings
    pages = {page: ids for page, ids in findings.items() if page.startswith("theory/")}
    assert len(pages) > 5
    for page, ids in pages.items():
        text = (DOCS / "en" / f"{page}.md").read_text(encoding="utf-8")
        assert [id_ for id_ in ids if not re.search(rf'claim(=|\()"{id_}"', text)] == []


def test_what_moved_twice_is_where_it_is_now(tmp_path: Path) -> None:
    path = tmp_path / "addresses.txt"
    path.write_text("a/#one -> b/#two\nb/#two -> c/", encoding="utf-8")
    known = read_addresses(path)
    assert known.follow("a/#one") == "c/"
    assert known.follow("a/#other") == "a/#other"


def list_words(table: Mapping[str, Any], *place: str) -> Iterator[tuple[str, ...]]:
    for key, word in table.items():
        if not isinstance(word, dict):
            yield (*place, key)
        elif place == ("plural",):
            yield from ((*place, key, form) for form in word if form == "other")
        else:
            yield from list_words(word, *place, key)


def test_no_language_lacks_a_word_of_another_nor_the_last_of_its_plural_forms() -> None:
    words = {language: {*list_words(read_catalogue(language))} for language in list_languages()}
    everything = set().union(*words.values())
    lacking = {language: everything - has for language, has in words.items()}
    assert not any(lacking.values()), lacking
