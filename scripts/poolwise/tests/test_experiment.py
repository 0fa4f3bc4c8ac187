"""A malformed declaration names file, line and key; a program knows where it shows nothing."""

import re
from pathlib import Path

import pytest

from making import DECLARATION, write_experiment
from making import make_program as declare
from poolwise.declaration import KIND, MalformedDeclaration, Reason
from poolwise.experiment import Experiment, load_experiment

TITLE = 'title = { en = "Waiting", ru = "Ожидание" }\n'
LONGEST_WAIT = "longest_wait_s = { io = 0.5 }"
QUICK = r"profiles\.quick\."


def load(folder: Path, text: str) -> Experiment:
    write_experiment(folder, text)
    return load_experiment(folder)


def test_the_first_python_of_an_experiment_is_that_of_each_program_without_one(tmp_path):
    text = DECLARATION.replace("source =", 'python = "3.8"\nsource =', 1)
    experiment = load(tmp_path, text.replace('file = "two.py"', 'file = "two.py"\npython = "3.11"'))
    assert [program.python for program in experiment.programs] == ["3.8", "3.11"]


@pytest.mark.parametrize(
    ("old", "new", "line", "key"),
    [
        ('workers = "tasks"', 'workers = "many"', 25, r"programs\[1\]\.workers.*'many'; there"),
        ("trials = 5", "trails = 5", 28, QUICK + r"trails"),
        ("timeout_s = 10\n", "", 27, QUICK + r"timeout_s"),
        ('baseline = "one"', 'baseline = "three"', 9, r"families\.io\.baseline"),
        ('file = "two.py"', 'file = "three.py"', 20, r"programs\[1\]\.file"),
        ('families = ["io"]', 'families = ["io", "cpu"]', 15, r"programs\[0\]\.families"),
        ("{ io = 0.5 }", "{ cpu = 0.5 }", 33, QUICK + r"longest_wait_s\.cpu"),
        (LONGEST_WAIT, 'results = { "io:4" = "4" }', 33, QUICK + r"results.*io:4.*io:3, io:5"),
        ('["forkserver"]', '["magic"]', 5, "start_methods.*'magic'; there are 'fork'"),
        ('baseline = "one"', 'baseline = "one"\ninterpreters = "all"', 10, ".*; there are 'e"),
        ("[profiles.quick]", "[profiles.quik]", 27, ".*'quik'; there are 'full', 'quick', 'smoke'"),
        ('["two"]', '["six"]', 36, QUICK + r"sweeps\[0\]\.programs: .*'six'"),
        ('programs = ["two"]', 'families = ["x"]', 36, QUICK + r"sweeps\[0\]\.families: .*'x'"),
        ("server = false", 'server = false\nreadings = ["99"]', 4, r"readings\[0\]"),
        ("[families.io]\n" + TITLE, "[families]\nio = 3\n", 8, r"families\.io: .*int"),
        ("[families.io]", "[[families]]", 7, r"families: .*array"),
        ('file = "two.py"', 'file = "one.py"', 20, r"programs\[1\]\.file: .*twice"),
        ("workers = 1", 'gil = "off"\nworkers = 1', 17, r"programs\[0\]\.gil"),
    ],
)
def test_what_is_wrong_is_named_with_file_line_and_key(tmp_path, old, new, line, key):
    assert old in DECLARATION
    with pytest.raises(MalformedDeclaration, match=rf"experiment\.toml:{line}: {key}"):
        load(tmp_path, DECLARATION.replace(old, new, 1))


def test_start_methods_are_asked_for_only_where_a_program_has_processes(tmp_path):
    text = DECLARATION.replace('start_methods = ["forkserver"]\n', "")
    assert load(tmp_path / "a", text).start_methods == ()
    with pytest.raises(MalformedDeclaration, match=r"programs\[1\]\.kind: its processes have no"):
        load(tmp_path / "b", text.replace('kind = "threads"', 'kind = "processes"'))


def test_a_result_may_be_of_any_number_of_tasks_that_runs(tmp_path):
    results = 'results = { io = "some", "io:5" = "five" }'
    profile = load(tmp_path, DECLARATION.replace(LONGEST_WAIT, results)).profiles["quick"]
    assert [profile.find_result("io", tasks) for tasks in (3, 5)] == ["some", "five"]


HERE = ("Linux", "on", 2, (3, 10))


@pytest.mark.parametrize(
    ("needs", "elsewhere", "reason"),
    [
        ({"system": "Linux"}, ("Darwin", *HERE[1:]), Reason("wrong-system", {"system": "Linux"})),
        ({"gil": "on"}, ("Linux", "off", 2, (3, 13)), Reason("needs-gil")),
        ({"cores": "several"}, ("Linux", "on", 1, (3, 13)), Reason("needs-cores")),
        ({"python": "3.7"}, (*HERE[:3], (3, 6)), Reason("needs-python", {"since": "3.7"})),
    ],
)
def test_a_program_that_shows_nothing_on_a_machine_says_why(needs, elsewhere, reason):
    program = declare(**needs)
    assert program.find_obstacle(*HERE) is None
    assert program.find_obstacle(*elsewhere) == reason


@pytest.mark.parametrize(
    ("kind", "carrier", "processes"),
    [
        ("sequential", "sequential", False),
        ("coroutines + threads", "threads", False),
        ("processes + threads", "threads", True),
    ],
)
def test_the_last_of_a_mix_carries_the_work_out_and_any_may_start_processes(
    kind, carrier, processes
):
    program = declare(kind=kind)
    assert program.ways[-1] == carrier
    assert program.processes is processes
    assert re.search(KIND, kind)
