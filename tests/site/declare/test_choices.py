"""The file of the choices is read in its order, or refused with its line, key and choice."""

from pathlib import Path

import pytest

from scripts.harness.declaration import MalformedDeclaration
from scripts.harness.paths import DOCS
from scripts.site.declare.choices import load_findings
from tests.declared import DECLARED


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


def test_a_page_of_theory_opens_with_claims_that_stand_on_it() -> None:
    findings = DECLARED.findings
    pages = {page: ids for page, ids in findings.items() if page.startswith("theory/")}
    assert len(pages) > 5
    for page, ids in pages.items():
        text = (DOCS / "en" / f"{page}.md").read_text(encoding="utf-8")
        assert [id_ for id_ in ids if f'show.claim("{id_}"' not in text] == []
