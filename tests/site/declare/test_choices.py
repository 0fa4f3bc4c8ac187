"""The file of the choices is read in its order, or refused with its line, key and choice."""

from pathlib import Path

import pytest

from scripts.harness.declaration import MalformedDeclaration
from scripts.harness.experiment import load_experiment
from scripts.harness.paths import DOCS
from scripts.site.declare.choices import load_choices, load_findings
from scripts.site.declare.claims import load_claims
from tests.declared import DECLARED
from tests.factories import CHOICES, CLAIMS, TERMS, write_experiment


def load(folder: Path, text: str) -> list[str]:
    """The programs that the answers of a file take, of an experiment with ``one`` and ``two``."""
    write_experiment(folder / "lab")
    path = folder / "choices.toml"
    path.write_text(text, encoding="utf-8")
    (folder / "lab" / "claims.toml").write_text(CLAIMS, encoding="utf-8")
    experiment = load_experiment(folder / "lab")
    claims = {"lab": load_claims(experiment, TERMS)}
    return [choice.take for choice in load_choices(path, [experiment], claims)]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('work = ["waiting"]', 'work = ["sleeping"]', r"work\[0\]"),
        ('work = ["waiting"]', "", r".*work"),
        ('take = "lab/one"', 'take = "lab/one"\nspeed = 3', r".*speed"),
        ("lab/one", "lab/three", "take: an-answer: 'two-is-faster' does not compare 'lab/three'"),
        ("lab/one", "barn/one", "take: an-answer: 'two-is-faster' does not compare 'barn/one'"),
        (
            'take = "lab/one"',
            'take = "lab/one"\nanswer = "none"',
            "answer: an-answer: no such answer",
        ),
        ("two-is-faster", "three-is", "claim: an-answer: no such claim 'three-is'"),
        *(
            (f'{key} = {{ en = "So.", ru = "Так." }}', new, rf"{key}{rest}")
            for key in ("situation", "advice", "why", "unless")
            for new, rest in (
                (f'{key} = {{ en = "So." }}', ": an-answer: no text in 'ru'"),
                (f'{key} = {{ en = "So.", ru = " " }}', r"\.ru: an-answer: an empty text"),
                (
                    f'{key} = {{ en = "So.", ru = "Так.", xx = "So." }}',
                    r"\.xx: an-answer: no such language 'xx'",
                ),
            )
        ),
    ],
)
def test_what_is_no_answer_is_refused_and_named(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in CHOICES
    with pytest.raises(MalformedDeclaration, match=rf"choices\.toml:\d+: choices\[0\]\.?{said}"):
        load(tmp_path, CHOICES.replace(old, new))


EVERY_PAGE = 10
OPENING = range(2, 5)


def load_pages(folder: Path, ids: str) -> object:
    path = folder / "findings.toml"
    path.write_text(f"[findings]\nlab = {ids}\n", encoding="utf-8")
    return load_findings(path, ["one", "two"])


@pytest.mark.parametrize(
    ("ids", "said"), [('["three"]', "no such claim 'three'"), ('["one", "one"]', "twice")]
)
def test_what_is_no_claim_or_stands_there_twice_is_refused(
    tmp_path: Path, ids: str, said: str
) -> None:
    with pytest.raises(MalformedDeclaration, match=rf"findings\.toml:\d+: findings\.lab.*{said}"):
        load_pages(tmp_path, ids)


def test_no_file_is_no_finding(tmp_path: Path) -> None:
    assert load_findings(tmp_path / "findings.toml", []) == {}


def test_claims_open_with_ten_and_the_pages_of_experiments_with_two_to_four_of_their_own() -> None:
    findings = dict(DECLARED.findings)
    assert len(findings.pop("claims")) == EVERY_PAGE
    for page, ids in findings.items():
        if not page.startswith("theory/"):
            assert len(ids) in OPENING
            assert set(ids) <= {claim.id for claim in DECLARED.claims[page]}


def test_a_page_of_theory_opens_with_claims_that_stand_on_it() -> None:
    findings = DECLARED.findings
    pages = {page: ids for page, ids in findings.items() if page.startswith("theory/")}
    assert len(pages) > 5
    for page, ids in pages.items():
        text = (DOCS / "en" / f"{page}.md").read_text(encoding="utf-8")
        assert [id_ for id_ in ids if f'show.claim("{id_}")' not in text] == []
