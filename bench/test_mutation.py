"""Mistakes are planted into a copy, and what the tests do not find is told."""

from pathlib import Path

import pytest
from cosmic_ray.work_item import MutationSpec

from bench import mutation
from bench.mutation import choose_mutants, list_tests, score_tests

MODULE = "def double(number):\n    return number * 2\n\n\nSPARE = 7\n"
TESTED = {"scripts/lab": "tests/lab"}


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A module of one function that its test knows, and of a number that no test knows."""
    for folder in ("scripts", "scripts/lab", "tests/lab"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / "scripts/lab/x.py").write_text(MODULE)
    (tmp_path / "scripts/lab/launcher.py").write_text(MODULE)
    (tmp_path / "tests/lab/test_x.py").write_text(
        "from scripts.lab.x import double\n\n\ndef test_x():\n    assert double(3) == 6\n"
    )
    (tmp_path / "tests/lab/test_a.py").write_text("")
    (tmp_path / "tests/lab/test_b.py").write_text("import scripts.lab.x\n")
    monkeypatch.setattr(mutation, "ROOT", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_no_test_finds_is_told_with_its_line_and_the_tree_stays_as_it_is(
    repository: Path,
) -> None:
    score = score_tests(TESTED, mutants=3)
    assert score.planted == 3
    (survivor,) = score.survivors
    assert survivor.startswith("scripts/lab/x.py:5 SPARE = ")
    assert (repository / "scripts/lab/x.py").read_text() == MODULE
    assert not (repository / "mutants.sqlite").exists()


def test_tests_that_fail_without_a_mutant_give_no_score(repository: Path) -> None:
    (repository / "scripts/lab/x.py").write_text(MODULE.replace("2", "3"))
    with pytest.raises(RuntimeError, match="fail without a mutant"):
        score_tests(TESTED, mutants=1)


def test_a_place_with_many_mutants_is_taken_once_and_the_same_seed_takes_the_same(
    repository: Path,
) -> None:
    mutants = [
        MutationSpec(
            module_path=Path("scripts/lab/x.py"),
            operator_name="core/NumberReplacer",
            occurrence=occurrence,
            start_pos=(line, 0),
            end_pos=(line, 1),
        )
        for line in (1, 2, 3)
        for occurrence in range(2)
    ]
    chosen = choose_mutants(mutants, 9, seed=1)
    assert sorted(mutant.start_pos[0] for mutant in chosen) == [1, 2, 3]
    assert choose_mutants(mutants[::-1], 9, seed=1) == chosen
    assert len(choose_mutants(mutants, 2, seed=1)) == 2


def test_a_modules_own_tests_come_first_and_those_that_import_it_next(repository: Path) -> None:
    names = [Path(path).stem for path in list_tests(Path("scripts/lab/x.py"), "tests/lab")]
    assert names == ["test_x", "test_b", "test_a"]
