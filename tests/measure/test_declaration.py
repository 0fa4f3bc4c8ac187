"""A malformed declaration names file, line and key."""

from pathlib import Path

import pytest

from scripts.measure.declaration import MalformedDeclaration, find_line
from scripts.measure.experiment import load_experiment

GOOD = """\
schema = 1
source = "lab-notes"
server = false
shared = ["tasks.py"]
start_methods = ["forkserver"]

[families.io]
baseline = "one"

[[programs]]
file = "one.py"
family = "io"
tasks = 3
workers = 1

[[programs]]
file = "two.py"
family = "io"
tasks = 3
workers = "tasks"

[profiles.quick]
trials = 5
memory_trials = 1
timeout_s = 10
estimate_s = 0.5
params = { SIZE = "3" }
longest_wait_s = { io = 0.5 }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("one.py", "two.py", "tasks.py"):
        (tmp_path / name).touch()
    return tmp_path


def load(folder: Path, text: str) -> None:
    (folder / "experiment.toml").write_text(text)
    load_experiment(folder)


def test_a_good_declaration_loads(folder: Path) -> None:
    (folder / "experiment.toml").write_text(GOOD)
    experiment = load_experiment(folder)
    assert experiment.name == folder.name
    assert [program.name for program in experiment.programs] == ["one", "two"]
    assert experiment.profiles["quick"].params == {"SIZE": "3"}
    assert experiment.family("io").baseline == "one"


@pytest.mark.parametrize(
    ("old", "new", "line", "key"),
    [
        ('workers = "tasks"', 'workers = "many"', 20, r"programs\[1\]\.workers"),
        ("tasks = 3", "tasks = 3.5", 13, r"programs\[0\]\.tasks"),
        ("trials = 5", "trails = 5", 23, r"profiles\.quick\.trails"),
        ("timeout_s = 10\n", "", 22, r"profiles\.quick\.timeout_s"),
        ("trials = 5", "trials = 0", 23, r"profiles\.quick\.trials"),
        ('baseline = "one"', 'baseline = "three"', 8, r"families\.io\.baseline"),
        ('file = "two.py"', 'file = "three.py"', 17, r"programs\[1\]\.file"),
        ('source = "lab-notes"', "source = 7", 2, "source"),
        ("schema = 1", "schema = 2", 1, "schema"),
        ("{ io = 0.5 }", "{ cpu = 0.5 }", 28, r"profiles\.quick\.longest_wait_s\.cpu"),
        ('["forkserver"]', '["magic"]', 5, "start_methods"),
        ('["tasks.py"]', '["task.py"]', 4, "shared"),
    ],
)
def test_what_is_wrong_is_named_with_file_line_and_key(
    folder: Path, old: str, new: str, line: int, key: str
) -> None:
    with pytest.raises(MalformedDeclaration, match=rf"experiment\.toml:{line}: {key}"):
        load(folder, GOOD.replace(old, new, 1))


def test_what_is_not_toml_is_named_with_its_line(folder: Path) -> None:
    with pytest.raises(MalformedDeclaration, match=r"experiment\.toml: .*line 2"):
        load(folder, GOOD.replace('source = "lab-notes"', "source = "))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(MalformedDeclaration, match="no such file"):
        load_experiment(tmp_path)


def test_a_key_that_is_not_there_is_placed_at_its_table() -> None:
    assert find_line(GOOD, ["programs", 1, "missing"]) == 16
