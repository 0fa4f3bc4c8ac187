"""Every claim has been read by a person as it is: one that changes is told until it is read again."""

from pathlib import Path

import pytest

from scripts.harness.declaration import MalformedDeclaration
from scripts.site.check.reviewed import find_unread, note_reviewed
from scripts.site.declare.declarations import Declarations
from tests.factories import CLAIMS, make_claim, make_comparison, make_experiment

ID = "two-is-faster"


def declare(folder: Path, old: str = "", new: str = "") -> Declarations:
    (folder / "claims.toml").write_text(CLAIMS.replace(old, new), encoding="utf-8")
    claims = {"lab": (make_claim(make_comparison(), id=ID),)}
    return Declarations(experiments={"lab": make_experiment(folder)}, claims=claims)


def test_a_claim_that_nobody_has_read_is_told_with_its_line(tmp_path: Path) -> None:
    (problem,) = find_unread(tmp_path / "reviewed.toml", declare(tmp_path))
    assert (problem.path, problem.line) == (tmp_path / "claims.toml", 3)
    assert f"{ID}: is new or has changed" in problem.message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("margin = 1.2", "margin = 3.0"),
        ('"less"', '"more"'),
        ("as fast", "as slow"),
        ("быстрее", "медленнее"),
        ('cores = "several"', 'cores = "one"'),
    ],
)
def test_what_has_been_read_is_right_until_it_changes(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "reviewed.toml"
    assert note_reviewed(path, declare(tmp_path)) == [ID]
    assert list(find_unread(path, declare(tmp_path))) == []
    changed = declare(tmp_path, old, new)
    (problem,) = find_unread(path, changed)
    assert problem.message.startswith(f"{ID}: ")
    assert note_reviewed(path, changed) == [ID]
    assert list(find_unread(path, changed)) == []


def test_a_note_on_a_claim_that_has_gone_is_told_and_then_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "reviewed.toml"
    note_reviewed(path, declare(tmp_path))
    path.write_text(path.read_text() + 'gone = "12345678"\n')
    (problem,) = find_unread(path, declare(tmp_path))
    assert "gone: there is no such claim" in problem.message
    assert note_reviewed(path, declare(tmp_path)) == []
    assert "gone" not in path.read_text()


def test_a_file_of_something_else_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "reviewed.toml").write_text('a = ["12345678", "why"]\n', encoding="utf-8")
    with pytest.raises(MalformedDeclaration, match=r"reviewed\.toml:1: Expected"):
        list(find_unread(tmp_path / "reviewed.toml", declare(tmp_path)))
