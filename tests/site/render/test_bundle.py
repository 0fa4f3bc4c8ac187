"""A bundle holds all that the programs of an experiment take, and the same bytes every time."""

import ast
import io
import sys
import zipfile
from pathlib import Path

import pytest
from msgspec import structs

from scripts.harness.experiment import Experiment
from scripts.harness.packages import find_all_packages
from scripts.harness.paths import REQUIREMENTS
from scripts.site.render.bundle import make_bundle
from scripts.site.render.words import load_words
from tests.declared import EXPERIMENTS
from tests.factories import make_experiment

LANGUAGES = [load_words("en"), load_words("ru")]
Bundles = list[tuple[Experiment, dict[str, str]]]
OTHER_NAMES = {"memory_profiler": "memory-profiler"}
"""What is imported by another name than it is installed by."""


def unpack(experiment: Experiment) -> dict[str, str]:
    """The files of its bundle: text by path."""
    with zipfile.ZipFile(io.BytesIO(make_bundle(experiment, LANGUAGES))) as bundle:
        return {name: bundle.read(name).decode() for name in bundle.namelist()}


@pytest.fixture(scope="module")
def bundles() -> Bundles:
    """Every experiment with the files of its bundle."""
    return [(experiment, unpack(experiment)) for experiment in EXPERIMENTS]


def find_imports(source: str) -> set[str]:
    """The modules that a program imports as it runs, without what is below them."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    names = [
        name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    ]
    names += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names}


def test_whatever_a_program_imports_is_in_the_bundle_or_required(bundles: Bundles) -> None:
    for experiment, files in bundles:
        folder = f"examples/{experiment.name}"
        required = files.get(f"{folder}/requirements.txt", "")
        pins = {line.partition("==")[0] for line in required.splitlines()}
        beside = {Path(name).stem for name in files if name.startswith(folder)}
        for name, source in files.items():
            if name.endswith(".py"):
                missing = find_imports(source) - beside - sys.stdlib_module_names
                assert {OTHER_NAMES.get(one, one) for one in missing} <= pins, name


def test_every_program_is_in_the_bundle_where_the_pages_say(bundles: Bundles) -> None:
    for experiment, files in bundles:
        for program in experiment.programs:
            path = f"examples/{experiment.name}/{program.file}"
            assert files[path] == (experiment.folder / program.file).read_text(encoding="utf-8")
        assert ("examples/server.py" in files) == experiment.needs_server, experiment.name


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_readme_names_commands_that_are_there(bundles: Bundles, language: str) -> None:
    for experiment, files in bundles:
        name = f"examples/{experiment.name}/README.{language}.md"
        paths = [word for word in files[name].split() if word.startswith("examples/")]
        assert f"examples/{experiment.name}/{experiment.programs[0].file}" in paths, name
        assert set(paths) <= files.keys(), name
        assert ("server.py" in files[name]) == experiment.needs_server, name


def test_what_is_required_is_pinned_as_the_site_has_it() -> None:
    (matrix,) = [one for one in EXPERIMENTS if one.name == "matrix"]
    pins = find_all_packages(matrix)
    assert {"aiohttp", "trustme", "urllib3"} <= pins.keys()
    lines = [pin for versions in pins.values() for pin in versions]
    assert all(line in REQUIREMENTS.read_text(encoding="utf-8") for line in lines)
    assert unpack(matrix)["examples/matrix/requirements.txt"].splitlines() == lines


def test_a_bundle_has_the_same_bytes_every_time(tmp_path: Path) -> None:
    experiment = structs.replace(make_experiment(tmp_path), shared=("tasks.py",))
    for name in ("tasks.py", *(program.file for program in experiment.programs)):
        (tmp_path / name).write_text("pass\n", encoding="utf-8")
    first = make_bundle(experiment, LANGUAGES)
    for path in tmp_path.iterdir():
        path.touch()
    assert make_bundle(experiment, LANGUAGES) == first
