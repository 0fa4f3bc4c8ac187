"""The programs of the lessons: each fails its check as it is given, and passes it when mended."""

import re
import runpy
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from scripts.site.paths import EXAMPLES
from scripts.site.render.programs import bundle_lessons
from tests.examples.conftest import run

LESSONS = EXAMPLES / "lessons"
NAMES = sorted(path.stem for path in LESSONS.glob("[0-9]*.py"))
FAULTS = {
    "01": "each wait begins when the one before it is over",
    "02": "there are 2 seats, and it sold 5",
    "03": "a task that computes in another thread counts as",
    "04": "a load failed, and load_all did not raise anything",
    "05": "two deposits of 10, and the balance is 10",
    "06": "the texts have 6 words, and it found 0",
    "07": "it hangs: every worker waits",
    "08": "while it looks up a name, no other task of the loop runs",
}

IN_POOL = "    from concurrent.futures import ThreadPoolExecutor as Pool\n"
MENDED: dict[str, dict[str, str]] = {
    "01": {
        "    return [ask(service) for service in services]\n": f"{IN_POOL}"
        "    with Pool(len(services)) as pool:\n"
        "        return list(pool.map(ask, services))\n"
    },
    "02": {
        "        await pay(buyer)\n": "",
        "        self.seats -= 1\n": "        self.seats -= 1\n        await pay(buyer)\n",
    },
    "03": {"thread_time": "process_time"},
    "04": {
        "    loaded = []\n": f"{IN_POOL}"
        "    with Pool(len(names)) as pool:\n"
        "        return list(pool.map(load, names))\n"
    },
    "05": {
        "        self.balance += amount\n": "        with GUARD:\n            self.balance += amount\n",
        "\nclass ": "\nfrom threading import Lock\nGUARD = Lock()\nclass ",
    },
    "06": {
        "    global total\n    total += ": "    return ",
        "        for _ in pool.map(count, texts):\n            pass\n    return total\n": (
            "        return sum(pool.map(count, texts))\n"
        ),
    },
    "07": {
        "\n        def shrink_folder(": "        pictures = chain.from_iterable(pool.map(list_pictures, folders))\n"
        "        return list(pool.map(shrink, pictures))\n"
        "        def shrink_folder("
    },
    "08": {"    return look_up(name)": "    return await asyncio.to_thread(look_up, name)"},
}
"""By the number of a lesson what stands in its program, and what mends it in its place."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where somebody has unpacked the lessons."""
    with ZipFile(BytesIO(bundle_lessons())) as bundle:
        bundle.extractall(tmp_path)
    return tmp_path


def mend(folder: Path, name: str) -> None:
    program = folder / f"examples/lessons/{name}.py"
    text = program.read_text(encoding="utf-8")
    for wrong, right in MENDED[name[:2]].items():
        assert wrong in text
        text = text.replace(wrong, right)
    program.write_text(text, encoding="utf-8")


def check(folder: Path, name: str, language: str = "en") -> str:
    # A program that was mended within a second, and is as long as before, is stale in the cache.
    fresh = {"PYTHONDONTWRITEBYTECODE": "1"}
    arguments = [str(int(name[:2])), language]
    done = run(folder / "examples/lessons", "check.py", fresh, arguments=arguments)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_a_program_is_told_why_it_is_not_right_until_it_is_mended(name: str, folder: Path):
    assert check(folder, name).startswith(f"{name}.py: not yet: {FAULTS[name[:2]]}")
    mend(folder, name)
    assert check(folder, name) == f"{name}.py: right\n"


def test_the_checker_speaks_russian(folder: Path):
    (name, *_) = NAMES
    fault = check(folder, name, "ru").removeprefix(f"{name}.py: пока нет: ")
    assert re.match("[а-я ]+", fault), fault


def test_the_checker_speaks_the_language_of_the_system(folder: Path):
    mend(folder, "01-overlap")
    environment = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "ru_RU.UTF-8"}
    done = run(folder / "examples/lessons", "check.py", environment, arguments=["1"])
    assert done.stdout == "01-overlap.py: верно\n"


def test_each_sentence_of_the_checks_is_translated_and_no_other():
    sources = [path.read_text(encoding="utf-8") for path in LESSONS.rglob("*.py")]
    said = {text for source in sources for text in re.findall(r'\bsay\(\s*"([^"]+)"', source)}
    words = runpy.run_path(str(LESSONS / "checks/words.py"))
    assert said == set(words["RUSSIAN"])


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("import sys\nsys.exit('no luck')\n", "not yet: no luck\n"),
        ("def ask_all(ask, services):\n", "not yet: IndentationError"),
        ("def ask_all(ask, services):\n    pass\n", "not yet: the answers should come"),
        ("", "not yet: AttributeError"),
    ],
)
def test_whatever_else_a_program_does_is_told_in_a_line(written: str, said: str, folder: Path):
    program = folder / "examples/lessons/01-overlap.py"
    program.write_text(written, encoding="utf-8")
    told = check(folder, "01")
    assert told.startswith(f"01-overlap.py: {said}")
    assert told.count("\n") == 1


def test_eight_programs_have_at_most_forty_lines():
    assert len(NAMES) == 8
    for path in LESSONS.rglob("[0-9]*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 40
