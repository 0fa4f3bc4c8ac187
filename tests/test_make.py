"""What make hands on, sets up and measures, and in which sentence it says why it cannot."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOL = "scripts/poolwise/pyproject.toml"
STAND_IN = """\
#!/bin/sh
[ "$1" = -V ] && exit
echo "${{0##*/}} $* SITE=$SITE FRESH=$FRESH$PYTHONPATH$PYTHONHOME$PYTHONOPTIMIZE" >>{log}
"""
RunMake = Callable[..., tuple[int, list[str]]]


@pytest.fixture
def run_make(tmp_path: Path) -> RunMake:
    """Makes a target with stand-ins for python and mkdocs; gives its status and how they were called."""

    def run(*arguments: str, **settings: str) -> tuple[int, list[str]]:
        log = tmp_path / "log"
        for name in ("python", "mkdocs"):
            program = tmp_path / name
            program.write_text(STAND_IN.format(log=log))
            program.chmod(0o755)
        ours = [f"BIN={tmp_path}"]
        for file, pins in (("READY", "site"), ("TOOLS", "dev")):
            names = [".python-version", "requirements/uv.txt", f"requirements/{pins}.txt", TOOL]
            inputs = b"".join((ROOT / name).read_bytes() for name in names)
            (tmp_path / file).write_bytes(subprocess.check_output(["cksum"], input=inputs))
            ours.append(f"{file}={tmp_path / file}")
        done = subprocess.run(
            ["make", "--no-print-directory", *arguments, *ours],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"]} | settings,
            stdout=subprocess.DEVNULL,
            check=False,
        )
        return done.returncode, log.read_text().splitlines()

    return run


@pytest.mark.parametrize("given", ["argument", "environment"])
@pytest.mark.parametrize("target", ["site", "measure"])
def test_settings_reach_the_command_as_they_were_written_and_no_shell_reads_them(
    run_make: RunMake, tmp_path: Path, target: str, given: str
) -> None:
    trap = tmp_path / "trap"
    value = f"$(shell touch {trap})$(touch {trap})`touch {trap}`'; touch {trap}"
    names = "PROFILE ONLY INTERPRETERS MACHINE MEASURE RESULTS SITE_URL REPOSITORY_URL FRESH"
    settings = dict.fromkeys(names.split(), value) | {"SITE": "a b"}
    if given == "argument":
        status, (call,) = run_make(target, *(f"{name}={text}" for name, text in settings.items()))
    else:
        status, (call,) = run_make(target, **settings)
    assert (status, call) == (0, f"python -m scripts.site {target} SITE=a b FRESH={value}")
    assert not trap.exists()


@pytest.mark.parametrize(
    ("language", "config"),
    [("ru", "mkdocs.ru.yml"), ("en", "mkdocs.yml"), ("en_US.UTF-8", "mkdocs.yml")],
)
def test_the_preview_is_of_the_language_asked_for(
    run_make: RunMake, language: str, config: str
) -> None:
    _, (call,) = run_make("serve", f"LANG={language}")
    assert f"--config-file {config}" in call


def list_ignored(call: str) -> set[str]:
    return {word.partition("=")[2] for word in call.split() if "--ignore" in word}


def test_what_measures_is_tested_with_nothing_beside_it_and_all_else_together(
    run_make: RunMake,
) -> None:
    _, (alone, together) = run_make("test", CHROMIUM="a browser")
    assert int(together.partition(" -n ")[2].split()[0]) >= 2
    assert "-n" not in alone.split()
    assert list_ignored(together) == {word for word in alone.split() if "tests/" in word}
    assert "scripts/poolwise/tests/test_process.py" in list_ignored(together)


def test_fast_tests_leave_out_what_measures_and_what_needs_the_programs_or_the_site(
    run_make: RunMake,
) -> None:
    _, (call,) = run_make("test", "FAST=1")
    ignored = list_ignored(call)
    assert {"scripts/poolwise/tests/test_process.py", "tests/examples", "tests/browser"} < ignored
    assert all((ROOT / path).exists() for path in ignored)


NEEDED = ("cat", "chmod", "cksum", "cmp", "cp", "mkdir", "rm")
PYTHON = """\
#!/bin/sh
case "$1" in
-V) echo Python {version} ;;
-c) exit {too_old} ;;
-m)
  [ {able} = 1 ] || {{ echo several; echo lines; exit 1; }}
  rm -rf .venv; mkdir -p .venv/bin .venv/lib/python3/site-packages
  cp "$0" .venv/bin/python; cp bin/uv .venv/bin/uv ;;
esac
"""
UV = """\
#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" != -r ] || echo "$2" >>installed; shift; done
"""
SetUp = Callable[..., tuple[int, str]]


@pytest.fixture
def set_up(tmp_path: Path) -> SetUp:
    """Has make set up a copy of the repository, where only the Pythons of ``bin`` are known."""
    (tmp_path / "requirements").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / TOOL).parent.mkdir(parents=True)
    pins = (f"requirements/{name}.txt" for name in ("uv", "site", "dev"))
    for name in ("Makefile", ".python-version", TOOL, *pins):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "bin" / "uv").write_text(UV)
    (tmp_path / "bin" / "uv").chmod(0o755)
    for name in NEEDED:
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))

    def run(target: str = ".venv/ready") -> tuple[int, str]:
        done = subprocess.run(
            [shutil.which("make") or "make", "--no-print-directory", target],
            cwd=tmp_path,
            env={"PATH": str(tmp_path / "bin")},
            capture_output=True,
            text=True,
        )
        said = [line for line in done.stderr.splitlines() if not line.startswith("make:")]
        return done.returncode, "\n".join(said)

    return run


def offer(folder: Path, name: str, version: str, *, able: bool = True) -> None:
    """Put a Python on the PATH; ``able`` to make environments or not."""
    minor = int(version.split(".")[1])
    text = PYTHON.format(version=version, too_old=int(minor < 11), able=int(able))
    (folder / "bin" / name).write_text(text)
    (folder / "bin" / name).chmod(0o755)


@pytest.mark.parametrize(
    ("pythons", "asked", "told"),
    [
        (["3"], "", (2, "No Python of at least 3.11 was found.")),
        (["3.11", "3.13", "3.15"], "3.13", (0, "setting up .venv with python3.13")),
        (["3.11", "3.13", "3.15"], "3.14\n3.13", (0, "setting up .venv with python3.13")),
        (["3.11", "3.12", "3.14"], "3.13", (0, "setting up .venv with python3.14")),
    ],
)
def test_the_python_asked_for_comes_first_then_the_newest_that_will_do(
    pythons: list[str], asked: str, told: tuple[int, str], set_up: SetUp, tmp_path: Path
) -> None:
    for name in pythons:
        offer(tmp_path, f"python{name}", "3.10.2" if name == "3" else f"{name}.0")
    (tmp_path / ".python-version").write_text(f"{asked}\n")
    assert set_up() == told


def test_a_python_that_cannot_make_environments_is_told_with_its_cure(
    set_up: SetUp, tmp_path: Path
) -> None:
    offer(tmp_path, "python3.11", "3.11.2", able=False)
    status, said = set_up()
    assert status != 0
    assert said.splitlines()[1].startswith("python3.11 cannot make an environment; install")
    assert said.endswith("apt install python3.11-venv")
    assert len(said.splitlines()) == 2
    assert not (tmp_path / ".venv").exists()


def test_an_environment_is_made_once_and_anew_where_its_python_has_gone_or_become_another(
    set_up: SetUp, tmp_path: Path
) -> None:
    python, lost = tmp_path / ".venv/bin/python", tmp_path / ".venv/lost"
    offer(tmp_path, "python3", "3.11.2")
    assert set_up() == (0, "setting up .venv with python3")
    assert set_up() == (0, "")
    python.unlink()
    assert set_up() == (0, "setting up .venv with python3")
    offer(tmp_path, "python3", "3.13.5")
    shutil.copy(tmp_path / "bin/python3", python)
    lost.touch()
    assert set_up() == (0, "setting up .venv with python3")
    assert not lost.exists()


def test_pins_are_installed_again_when_they_have_changed_whatever_the_dates_of_files(
    set_up: SetUp, tmp_path: Path
) -> None:
    offer(tmp_path, "python3", "3.11.2")
    installed, pins = tmp_path / "installed", tmp_path / "requirements/site.txt"
    set_up()
    installed.unlink()
    for path in tmp_path.glob("requirements/*"):
        path.touch()
    assert set_up() == (0, "")
    assert not installed.exists()
    pins.write_text("")
    set_up()
    assert str(pins.relative_to(tmp_path)) in installed.read_text().split()


def test_building_the_site_takes_no_tools_for_tests_which_come_with_them(
    set_up: SetUp, tmp_path: Path
) -> None:
    offer(tmp_path, "python3", "3.11.2")
    installed = tmp_path / "installed"
    set_up()
    assert "requirements/dev.txt" not in installed.read_text().split()
    set_up(".venv/tools")
    assert "requirements/dev.txt" in installed.read_text().split()


@pytest.mark.parametrize(
    ("recipe", "limit_s", "status", "told"),
    [("true", "60", 0, False), ("exit 3", "60", 2, False), ("sleep 60", "0.5", 0, True)],
)
def test_measuring_ends_in_order_when_its_time_is_up(
    recipe: str, limit_s: str, status: int, told: bool, tmp_path: Path
) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/measure", tmp_path / ".ci")
    (tmp_path / "Makefile").write_text(f"measure:\n\t@{recipe}\n")
    command = [str(tmp_path / ".ci" / "measure"), limit_s]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status
    assert ("was up" in done.stdout) == told
    assert "sleep" not in done.stderr  # the alarm, of which bash may tell that it was terminated


def test_a_new_experiment_is_laid_out_by_its_name_and_never_over_another(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests/browser/addition", tmp_path / "tests/browser/addition")
    shutil.copy(ROOT / "Makefile", tmp_path)
    for folder in ("examples", "docs/en", "docs/ru"):
        (tmp_path / folder).mkdir(parents=True)
    statuses = []
    for name in ("sorting", "sorting", "../sorting", ""):
        command = ["make", "experiment", f"NAME={name}"]
        statuses.append(
            subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode
        )
    assert statuses == [0, 2, 2, 2]
    assert (tmp_path / "examples/sorting/01-sequential.py").is_file()
    assert 'id = "sorting-in-threads"' in (tmp_path / "examples/sorting/claims.toml").read_text()
    assert 'show.results("sorting")' in (tmp_path / "docs/ru/sorting.md").read_text(
        encoding="utf-8"
    )
    for language in ("en", "ru"):
        page = (tmp_path / f"docs/{language}/sorting.md").read_text(encoding="utf-8")
        assert "title: Sorting\n" in page
        assert "\n# Sorting {#top}\n" in page
    assert "Квадраты" not in (tmp_path / "examples/sorting/experiment.toml").read_text()


def test_the_check_tells_of_declarations_and_pages_before_all_that_takes_longer() -> None:
    printed = subprocess.check_output(["make", "--dry-run", "check"], cwd=ROOT, text=True)
    commands = [line for line in printed.splitlines() if line.startswith(".venv/bin/")]
    assert commands[0] == ".venv/bin/python -m scripts.site check"
    slow = [name for name in commands if name.endswith(("mypy", "lint-imports", "codespell"))]
    assert commands.index(".venv/bin/ruff check .") < commands.index(slow[0])
