"""Every claim has been read by a person as it is: one that changes is told until it is read again."""

from pathlib import Path

import pytest

from scripts.harness.declaration import MalformedDeclaration
from scripts.site.check.reviewed import find_unread, note_reviewed
from scripts.site.declare.claims import load_claims
from scripts.site.declare.declarations import Declarations
from tests.factories import TERMS, make_experiment

CONDITION = 'metric = "inside_s", left = "04-io-thread_pool", right = "01-io-sequential", relation = "less", margin = 2.0'
EN = "Threads wait {ratio|fold} as fast as the sequential program: {left} and {right}."
RU = "Потоки ждут {ratio|fold} быстрее последовательной программы: {left} и {right}."


def declare(
    folder: Path, *, condition: str = CONDITION, en: str = EN, ru: str = RU, where: str = "{}"
) -> Declarations:
    (folder / "claims.toml").write_text(
        f'schema = 2\n[[claims]]\nid = "a"\ntopic = "io"\nsource = "us"\nwhere = {where}\n'
        f"all = [{{ {condition} }}]\n"
        + "".join(
            f"{outcome} = {{ en = '{en}', ru = '{ru}' }}\n"
            for outcome in ("confirmed", "refuted", "open")
        ),
        encoding="utf-8",
    )
    experiment = make_experiment(folder)
    claims = load_claims(experiment, TERMS)
    return Declarations(experiments={"lab": experiment}, claims={"lab": claims})


def test_a_claim_that_nobody_has_read_is_told_with_its_line(tmp_path: Path) -> None:
    (problem,) = find_unread(tmp_path / "reviewed.toml", declare(tmp_path))
    assert (problem.path, problem.line) == (tmp_path / "claims.toml", 2)
    assert "a: is new or has changed" in problem.message


@pytest.mark.parametrize(
    "changed",
    [
        {"condition": CONDITION.replace("2.0", "3.0")},
        {"condition": CONDITION.replace("less", "more")},
        {"en": EN.replace("wait", "sleep")},
        {"ru": RU.replace("ждут", "спят")},
        {"where": '{ cores = "one" }'},
    ],
)
def test_what_has_been_read_is_right_until_it_changes(
    tmp_path: Path, changed: dict[str, str]
) -> None:
    path = tmp_path / "reviewed.toml"
    assert note_reviewed(path, declare(tmp_path)) == ["a"]
    assert list(find_unread(path, declare(tmp_path))) == []
    (problem,) = find_unread(path, declare(tmp_path, **changed))
    assert problem.message.startswith("a: ")
    assert note_reviewed(path, declare(tmp_path, **changed)) == ["a"]
    assert list(find_unread(path, declare(tmp_path, **changed))) == []


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
