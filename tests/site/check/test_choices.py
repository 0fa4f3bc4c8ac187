"""A row of Choose and the program behind its link use one tool, and no row advises a mistake of that page."""

from pathlib import Path

import pytest
from msgspec import structs

from scripts.site.check.choices import find_bad_advice
from scripts.site.declare.declarations import Declarations
from tests.factories import PLAIN, POOL, make_choice, make_experiment

PAGE = """# Wait {#top}

- Not a mistake.

## Two mistakes {#mistakes}

- **One after the other.** Symptom: it is slow.
- **All at once.** `gather()` has no limit.

## What it looks like {#picture}

- Not a mistake.
"""
MISTAKES = {"io": [f"lab/{PLAIN}", "gather()"]}
THREADS = "import concurrent.futures\n"


def check(
    folder: Path,
    *,
    page: str = PAGE,
    mistakes: dict[str, list[str]] | None = None,
    pasted: str = THREADS,
    taken: str = THREADS,
    **changes: object,
) -> list[str]:
    """The problems of one row: it takes the pool of the lab, and leads to that of an answer."""
    experiments = {}
    for name, source in (("lab", taken), ("answers", pasted)):
        experiments[name] = structs.replace(make_experiment(folder / name), name=name)
        (folder / name).mkdir(exist_ok=True)
        for program in experiments[name].programs:
            (folder / name / program.file).write_text(source, encoding="utf-8")
    (folder / "choices.toml").write_text("\n[[choices]]\n", encoding="utf-8")
    (folder / "en" / "answers").mkdir(parents=True, exist_ok=True)
    (folder / "en" / "answers" / "io.md").write_text(page, encoding="utf-8")
    choice = make_choice(**{"answer": "io", "uses": ["concurrent.futures"]} | changes)
    declared = Declarations(
        experiments=experiments,
        choices=(choice,),
        mistakes=MISTAKES if mistakes is None else mistakes,
    )
    return [str(problem) for problem in find_bad_advice(folder, declared)]


def test_a_row_and_its_answer_with_one_tool_and_named_mistakes_have_no_problem(
    tmp_path: Path,
) -> None:
    assert check(tmp_path) == []


def test_the_program_to_paste_carries_the_work_out_in_the_way_of_the_program_to_take(
    tmp_path: Path,
) -> None:
    (problem,) = check(tmp_path, take="lab/12-cpu-process_pool")
    assert f"{tmp_path / 'choices.toml'}:2: some-choice: " in problem
    assert f"lab/12-cpu-process_pool does the work with processes, and answers/{POOL}" in problem


@pytest.mark.parametrize(
    ("sources", "name"), [({"pasted": ""}, f"answers/{POOL}"), ({"taken": ""}, f"lab/{POOL}")]
)
def test_both_programs_have_the_code_that_the_row_names(
    tmp_path: Path, sources: dict[str, str], name: str
) -> None:
    (problem,) = check(tmp_path, **sources)  # type: ignore[arg-type]
    assert problem.endswith(f"some-choice: {name} does not use concurrent.futures")


def test_a_row_without_an_answer_is_held_against_the_program_that_it_takes(tmp_path: Path) -> None:
    assert check(tmp_path, answer="", take="lab/12-cpu-process_pool") == []
    (problem,) = check(tmp_path, answer="", uses=["uvloop"])
    assert problem.endswith(f"some-choice: lab/{POOL} does not use uvloop")


@pytest.mark.parametrize(
    ("mistake", "changes"),
    [
        (f"lab/{POOL}", {}),
        ("threads", {}),
        ("gather()", {"taken": THREADS + "gather()\n"}),
        ("gather()", {"advice": {"en": "use gather()", "ru": "gather()"}}),
    ],
    ids=["program", "kind", "code-in-the-program", "code-in-the-advice"],
)
def test_no_row_advises_what_its_answer_calls_a_mistake(
    tmp_path: Path, mistake: str, changes: dict[str, object]
) -> None:
    mistakes = {"io": [f"lab/{PLAIN}", "gather()"]}
    mistakes["io"][mistake == "gather()"] = mistake
    (problem,) = check(tmp_path, mistakes=mistakes, **changes)  # type: ignore[arg-type]
    assert f"some-choice: advises {mistake}, a mistake by answers/io.md" in problem


def test_each_mistake_of_a_page_is_named(tmp_path: Path) -> None:
    (problem,) = check(tmp_path, mistakes={"io": [f"lab/{PLAIN}"]})
    assert "io.md:7: 2 mistakes, and docs/choices.toml names 1" in problem


@pytest.mark.parametrize("name", ["lab/99-nothing", "nowhere/01-io-sequential", "to_thread()"])
def test_a_mistake_is_a_program_a_kind_or_code_of_its_own_text(tmp_path: Path, name: str) -> None:
    (problem,) = check(tmp_path, mistakes={"io": [f"lab/{PLAIN}", name]})
    assert f"io.md:8: docs/choices.toml names {name!r} for this mistake" in problem
