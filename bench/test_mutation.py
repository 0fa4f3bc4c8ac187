"""Mistakes are planted into a copy, and what the tests do not find is told."""

from pathlib import Path

import pytest
from cosmic_ray.work_item import MutationSpec

from bench import budgets, mutation
from bench.mutation import (
    Score,
    choose_mutants,
    is_python,
    list_mutants,
    list_tests,
    score_tests,
)

MODULE = "def double(number):\n    return number * 2\n\n\nSPARE = 7\n"


def make_mutant(
    line: int = 1, occurrence: int = 0, operator: str = "core/NumberReplacer"
) -> MutationSpec:
    return MutationSpec(
        module_path=Path("scripts/site/judge/x.py"),
        operator_name=operator,
        occurrence=occurrence,
        start_pos=(line, 0),
        end_pos=(line, 1),
    )


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A module of one function that its test knows, and of a number that no test knows."""
    for folder in ("scripts", "scripts/site/judge", "tests/site/judge"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / "scripts/site/judge/x.py").write_text(MODULE)
    (tmp_path / "tests/site/judge/test_x.py").write_text(
        "from scripts.site.judge.x import double\n\n\ndef test_x():\n    assert double(3) == 6\n"
    )
    monkeypatch.setattr(mutation, "ROOT", tmp_path)
    return tmp_path


def test_what_no_test_finds_is_told_with_its_line_and_the_tree_stays_as_it_is(
    repository: Path,
) -> None:
    score = score_tests(("judge",), mutants=3)
    assert score.planted == 3
    (survivor,) = score.survivors
    assert survivor.startswith("scripts/site/judge/x.py:5 SPARE = ")
    assert (repository / "scripts/site/judge/x.py").read_text() == MODULE
    assert not (repository / "mutants.sqlite").exists()


def test_tests_that_fail_without_a_mutant_give_no_score(repository: Path) -> None:
    (repository / "scripts/site/judge/x.py").write_text(MODULE.replace("2", "3"))
    with pytest.raises(RuntimeError, match="fail without a mutant"):
        score_tests(("judge",), mutants=1)


def test_a_place_with_many_mutants_is_taken_once_and_the_same_seed_takes_the_same() -> None:
    mutants = [make_mutant(line, occurrence) for line in (1, 2, 3) for occurrence in range(20)]
    chosen = list(choose_mutants(mutants, 9, seed=1))
    assert sorted(mutant.start_pos[0] for mutant in chosen) == [1, 2, 3]
    assert list(choose_mutants(mutants[::-1], 9, seed=1)) == chosen
    assert len(list(choose_mutants(mutants, 2, seed=1))) == 2


def test_what_is_no_python_is_not_planted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path("scripts/site/judge").mkdir(parents=True)
    Path("scripts/site/judge/x.py").write_text("if one := 1:\n    pass\nif one:\n    pass\n")
    first, second = (make_mutant(operator="core/AddNot", occurrence=place) for place in (0, 1))
    assert not is_python(first)
    assert is_python(second)


def test_what_kills_processes_by_their_numbers_is_spared(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    (repository / "scripts/site/judge/launcher.py").write_text(MODULE)
    assert {mutant.module_path.name for mutant in list_mutants(("judge",))} == {"x.py"}


def test_a_modules_own_tests_come_first_and_those_that_import_it_next(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {"judge/test_a": "", "judge/test_b": "from scripts.site.judge.x import y"}
    texts |= {"judge/test_x": "", "test_pipeline": "", "test_setup": ""}
    Path("tests/site/judge").mkdir(parents=True)
    for name, text in texts.items():
        Path(f"tests/{name}.py").write_text(text)
    names = [Path(path).stem for path in list_tests(make_mutant())]
    assert names == ["test_x", "test_b", "test_a", "test_pipeline"]


@pytest.mark.parametrize(
    ("survivors", "planted", "low", "high"), [(0, 10, 0.7225, 1.0), (3, 100, 0.9155, 0.9897)]
)
def test_the_interval_is_that_of_wilson(
    survivors: int, planted: int, low: float, high: float
) -> None:
    score = Score(planted=planted, survivors=("x",) * survivors)
    assert score.killed == 1 - survivors / planted
    assert score.bounds == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(("survivors", "kept"), [(9, True), (12, False)])
def test_the_bench_holds_the_score_against_its_budget_and_names_survivors(
    survivors: int,
    kept: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    score = Score(planted=60, survivors=tuple(f"x.py:{line} y" for line in range(survivors)))
    monkeypatch.setattr(mutation, "score_tests", lambda: score)
    (finding,) = budgets.try_tests()
    assert finding.kept == kept
    assert capsys.readouterr().out.splitlines()[-1] == f"        survived: x.py:{survivors - 1} y"
