"""The command that checks programs, as a reader has it: unpacked from the ZIP into an empty folder."""

import ast
import json
import shutil
import sys
from io import BytesIO
from pathlib import Path
from subprocess import CompletedProcess
from zipfile import ZipFile

import pytest

from scripts.site.declare.scenes import SCENES
from scripts.site.render.programs import bundle_lessons
from tests.examples.conftest import run

NAME = "06-transfer"
ENGLISH = {"LESSONS": "", "LC_ALL": "", "LC_MESSAGES": "", "LANG": "C.UTF-8"}
WIDTH = 88
RUSSIAN = ENGLISH | {"LANG": "ru_RU.UTF-8"}
KEEPS = "class Account:\n    def __init__(self, *_):\n        self.balance = 0\n\n\n"


@pytest.fixture
def lessons(tmp_path: Path) -> Path:
    """The folder of the programs, where somebody has unpacked the ZIP."""
    with ZipFile(BytesIO(bundle_lessons())) as bundle:
        bundle.extractall(tmp_path)
    return tmp_path / "examples" / "lessons"


def check(
    lessons: Path, *arguments: str, settings: dict[str, str] = ENGLISH
) -> CompletedProcess[str]:
    # A program that was fixed within a second, and is as long as before, is stale in the cache.
    fresh = settings | {"PYTHONDONTWRITEBYTECODE": "1"}
    return run(lessons.parent.parent, "examples/lessons/check.py", fresh, arguments=arguments)


def list_programs(lessons: Path) -> list[Path]:
    return sorted(lessons.glob("[0-9]*.py"))


def solve(lessons: Path, *programs: Path) -> None:
    for program in programs:
        shutil.copy(lessons / "solutions" / program.name, program)


def test_a_program_as_given_hears_why_it_is_not_right_with_status_1(lessons: Path):
    done = check(lessons, "6")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith(f"{NAME}.py: not yet\n  must: ")
    assert done.stdout.endswith("Add --hint.\n")


def test_a_program_that_is_right_hears_so_with_status_0(lessons: Path):
    solve(lessons, lessons / f"{NAME}.py")
    done = check(lessons, "6")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{NAME}.py: right\n  well done: ")


def test_without_a_number_all_are_checked_and_one_that_is_not_right_is_enough_for_status_1(
    lessons: Path,
):
    first, *others = list_programs(lessons)
    solve(lessons, *others)
    done = check(lessons)
    lines = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert lines == [f"{first.name}: not yet", *(f"{path.name}: right" for path in others)]
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["9"], "Lesson 9 has no program: choose on its page.\n"),
        (["12"], "There is no lesson 12.\n"),
        (["12", "ru"], "Урока 12 нет.\n"),
        (["six"], "There is no lesson six.\n"),
        (["0"], "There is no lesson 0.\n"),
    ],
)
def test_what_has_no_program_hears_so_with_status_2(
    arguments: list[str], printed: str, lessons: Path
):
    done = check(lessons, *arguments)
    assert (done.returncode, done.stdout) == (2, printed)


@pytest.mark.parametrize(
    ("arguments", "settings", "verdict"),
    [
        (["6"], ENGLISH, "not yet"),
        (["6", "ru"], ENGLISH, "пока нет"),
        (["ru", "6"], ENGLISH, "пока нет"),
        (["6"], RUSSIAN, "пока нет"),
        (["6", "en"], RUSSIAN, "not yet"),
    ],
)
def test_it_speaks_the_language_that_is_asked_for_or_else_that_of_the_system(
    arguments: list[str], settings: dict[str, str], verdict: str, lessons: Path
):
    done = check(lessons, *arguments, settings=settings)
    assert done.stdout.startswith(f"{NAME}.py: {verdict}\n")


def test_an_older_python_hears_which_one_it_takes(lessons: Path):
    file = lessons / "older.py"
    file.write_text(
        "import runpy, sys\nsys.version_info = (3, 10, 13)\n"
        "runpy.run_path('check.py', run_name='__main__')\n"
    )
    done = run(lessons, "older.py", ENGLISH)
    assert done.stderr == "The lessons need Python 3.11 or later. This is 3.10.\n"
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys\nsys.exit('no luck')\n", "the program ended the check: no luck"),
        ("import os\nos._exit(3)\n", "the program ended the check: 3"),
        ("\n\ndef transfer(source:\n", "line 3: SyntaxError: "),
        ("import nothing\n", "line 1: ModuleNotFoundError: No module named 'nothing'"),
        ("", "keep the names of functions and classes: "),
        (f"{KEEPS}def transfer(*_):\n    1 / 0\n", "line 7: ZeroDivisionError: "),
        ("while True:\n    pass\n", "it has not ended within 1 seconds"),
        ("print('loud')\n", "keep the names of functions and classes: "),
    ],
)
def test_whatever_else_a_program_does_is_told_in_a_sentence(program: str, said: str, lessons: Path):
    (lessons / f"{NAME}.py").write_text(program)
    probe = lessons / "checks" / "probe.py"
    text = probe.read_text(encoding="utf-8")
    if "while True" in program:
        assert "\nLIMIT_S = 30\n" in text
        probe.write_text(text.replace("LIMIT_S = 30", "LIMIT_S = 1"), encoding="utf-8")
    done = check(lessons, "6")
    assert (done.returncode, done.stderr) == (1, "")
    assert max(map(len, done.stdout.splitlines())) <= WIDTH
    printed = " ".join(done.stdout.split())
    assert printed.startswith(f"{NAME}.py: not yet must: {said}")
    assert printed.endswith(" Stuck? Add --hint.")


def test_hints_name_the_parts_and_our_solution_is_compared_with_others(lessons: Path):
    hints = check(lessons, "6", "--hint")
    assert hints.stdout.startswith(f"{NAME}.py, 1: You need threading.Lock, or RLock")
    assert f"\n{NAME}.py, 2: " in hints.stdout
    done = check(lessons, "6", "--solution", "ru")
    solution = (lessons / "solutions" / f"{NAME}.py").read_text(encoding="utf-8")
    assert done.stdout.startswith(solution)
    assert "блокиров" in done.stdout.removeprefix(solution)
    assert hints.returncode == done.returncode == 0


def test_the_order_that_fails_is_printed_and_written_as_lanes_and_events(
    lessons: Path, tmp_path: Path
):
    file = tmp_path / "trace.json"
    done = check(lessons, "6", "--trace", str(file))
    trace = json.loads(file.read_text(encoding="utf-8"))
    assert trace == json.loads((SCENES / "lost.json").read_text(encoding="utf-8"))  # still true
    assert trace["lanes"] == ["thread 1", "thread 2"]
    assert {event["lane"] for event in trace["events"]} == {0, 1}
    assert trace["unit"] == "step"
    assert set(trace["events"][0]) == {"lane", "kind", "what", "value", "begin", "end"}
    number = len(trace["events"])
    assert (trace["events"][-1]["begin"], trace["events"][-1]["end"]) == (number - 1, number)
    assert f"\n  {number:>4}  " in done.stdout
    assert f"\n  {number + 1:>4}  " not in done.stdout


def test_the_zip_has_all_that_the_programs_take_and_nothing_has_to_be_installed(lessons: Path):
    files = [path for path in lessons.rglob("*.py") if "__pycache__" not in path.parts]
    assert "authors.py" not in {path.name for path in files}
    ours = {path.stem for path in files} | {"checks"}
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules = [name.name for name in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            else:
                continue
            roots = {module.partition(".")[0] for module in modules}
            assert roots <= ours | sys.stdlib_module_names, path
