"""The programs of every experiment: they run by hand as downloaded, agree, are declared and short."""

import ast
import os
import platform
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from poolwise.experiment import Experiment, Program, load_experiment
from poolwise.plan import count_workers
from scripts.site.paths import EXAMPLES
from tests.declared import EXPERIMENTS
from tests.examples.conftest import PATIENCE_S, TIMED_OUT, run

GIL = "on" if getattr(sys, "_is_gil_enabled", lambda: True)() else "off"


def case(experiment: Experiment, program: Program, *family: str):
    """A program, or one of its families, to be tried where it shows what it is for."""
    obstacle = program.find_obstacle(
        platform.system(), GIL, os.cpu_count() or 1, sys.version_info[:2]
    )
    return pytest.param(
        experiment,
        program,
        *family,
        id="/".join([experiment.name, program.name, *family]),
        marks=[pytest.mark.skip(str(obstacle))] if obstacle else [],
    )


def list_entries(experiment: Experiment) -> Iterator[tuple[Program, str]]:
    """Each program in its first family, and each family with a program at least."""
    programs = [program for program in experiment.programs if program.ends == "well"]
    firsts = {program.families[0] for program in programs}
    for program in programs:
        yield program, program.families[0]
        for family in program.families:
            if family not in firsts:
                firsts.add(family)
                yield program, family


ENTRIES = [
    case(experiment, program, family)
    for experiment in EXPERIMENTS
    if experiment.name != "answers"  # each of which runs as its page says, see tests/browser
    for program, family in list_entries(experiment)
]
MISTAKES = [
    case(experiment, program)
    for experiment in EXPERIMENTS
    for program in experiment.programs
    if program.ends != "well"
]
LONGEST_LINES = 45
LONGER = {"04-service_that_computes.py": 62}
"""A service that is whole: it recovers, refuses, stops waiting, and tries itself out."""
ATTEMPTS = 5
"""Of a program that tells who came first: on a busy machine somebody may come late."""


@pytest.mark.parametrize(("experiment", "program", "family"), ENTRIES)
def test_a_program_prints_the_result_of_its_family_and_then_its_time(
    experiment: Experiment, program: Program, family: str, server: dict[str, str], unpacked: Path
):
    profile = experiment.profiles["smoke"]
    sweep, *_ = profile.find_sweeps(program.name, family)
    tasks = min(sweep.list_tasks(program))
    workers = min(sweep.workers or [count_workers(program.workers, tasks, cores=2)])
    settings = experiment.family(family).merge_params(profile)
    settings |= {"TASKS": str(tasks), "WORKERS": str(workers)}
    for _ in range(ATTEMPTS if program.says else 1):
        done = run(unpacked / experiment.name, program.file, settings | server)
        if program.says in done.stdout:
            break
    if done.returncode == os.EX_UNAVAILABLE:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    assert program.says or done.stderr == ""
    *result, time = done.stdout.splitlines()
    assert re.fullmatch(r"time \d+\.\d{6} s", time)
    readings = [line for line in result if line.split()[0] in experiment.readings]
    # Not every program has them, and of the ten jobs each has its own.
    assert len(readings) in (0, 1 if experiment.name == "jobs" else len(experiment.readings))
    assert program.says in done.stdout
    expected = profile.results.get(family)
    if expected is not None:
        found = [line for line in result if line not in readings]
        assert found == [expected.replace("{tasks}", str(tasks))]


@pytest.mark.parametrize(("experiment", "program"), MISTAKES)
def test_a_program_that_shows_a_mistake_ends_as_declared(
    experiment: Experiment, program: Program, unpacked: Path
):
    for limit_s in (program.timeout_s or PATIENCE_S, PATIENCE_S):
        done = run(unpacked / experiment.name, program.file, {}, timeout_s=limit_s)
        if program.says in done.stdout + done.stderr:  # else it was stopped before it got there
            break
    assert (done.returncode == TIMED_OUT) == (program.ends == "timeout")
    assert done.returncode != 0
    assert program.says in done.stdout + done.stderr


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda one: one.name)
def test_every_program_is_declared_short_enough_to_read_and_closes_what_it_opened(
    experiment: Experiment,
):
    sources = {path.name: path.read_text("utf-8") for path in experiment.folder.glob("*.py")}
    numbered = {name for name in sources if name[0].isdigit()}
    assert numbered == {program.file for program in experiment.programs}
    for name in numbered:
        assert sources[name].count("\n") <= LONGER.get(name, LONGEST_LINES), name
    for name, source in sources.items():
        waited = re.findall(r"writer\.close\(\)\n +await writer\.wait_closed\(\)", source)
        assert len(waited) == source.count("writer.close()"), name
        for one in ast.walk(ast.parse(source)):
            if isinstance(one, ast.AsyncFunctionDef):  # whose event loop would stop meanwhile
                code = ast.unparse(one)
                assert not re.search(r"^ *with .*(Executor|Pool)\(", code, re.MULTILINE), name
                assert not re.search(r"\b(pool|executor)\.shutdown\((?!wait=False)", code), name


MATRIX = load_experiment(EXAMPLES / "matrix").programs
ONLINE = {one.kind: one for one in MATRIX if "cpu" not in one.families}.values()
"""A program of each kind: all of them ask ``page_urls`` of the same module."""


@pytest.mark.parametrize("program", ONLINE, ids=lambda program: program.name)
def test_without_a_server_a_program_says_in_one_sentence_what_to_start(
    program: Program, matrix: Experiment, smoke: dict[str, str]
):
    done = run(matrix.folder, program.file, smoke | {"SERVER_URL": "http://127.0.0.1:9"})
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "python examples/server.py" in done.stderr


@pytest.mark.parametrize("file", [program.file for program in MATRIX if "cpu" in program.families])
def test_a_program_that_only_computes_imports_no_http_client(
    file: str, matrix: Experiment, smoke: dict[str, str]
):
    probe = f"import runpy, sys; runpy.run_path({file!r}); print(*sys.modules)"
    done = run(matrix.folder, "-c", smoke, arguments=[probe])
    assert done.returncode == 0, done.stderr
    assert not {"aiohttp", "urllib3", "requests", "httpx", "ssl"} & set(done.stdout.split())


ANSWERS = load_experiment(EXAMPLES / "answers")
ANSWERING = [pytest.param(program, id=program.name) for program in ANSWERS.programs]


@pytest.mark.parametrize("program", ANSWERING)
def test_a_program_takes_one_package_at_most_and_has_a_plain_version_beside_it(program: Program):
    source = (ANSWERS.folder / program.file).read_text("utf-8")
    imported = re.findall(r"^ *(?:from|import) (\w+)", source, re.MULTILINE)
    assert len({*imported} - sys.stdlib_module_names) <= 1
    if program.name[2] == "-":
        plain = program.name.replace("-", "b-", 1) + "-plain"
        assert ANSWERS.family(program.families[0]).baseline == plain
