"""What the make targets hand on to the commands that they run."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
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
        (tmp_path / "ready").touch()
        ours = [f"BIN={tmp_path}", f"READY={tmp_path / 'ready'}"]
        done = subprocess.run(
            ["make", "--no-print-directory", *arguments, *ours],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"]} | settings,
            stdout=subprocess.DEVNULL,
            check=False,
        )
        return done.returncode, log.read_text().splitlines()

    return run


@pytest.mark.parametrize(
    ("argument", "settings"),
    [(["SITE=a b", "FRESH=1"], {}), ([], {"SITE": "a b", "FRESH": "1"})],
)
@pytest.mark.parametrize("target", ["site", "measure"])
def test_settings_reach_the_command_as_they_were_written(
    run_make: RunMake, target: str, argument: list[str], settings: dict[str, str]
) -> None:
    assert run_make(target, *argument, **settings) == (
        0,
        [f"python -m scripts.site {target} SITE=a b FRESH=1"],
    )


@pytest.mark.parametrize("given", ["argument", "environment"])
def test_no_setting_is_read_by_make_or_a_shell(
    run_make: RunMake, tmp_path: Path, given: str
) -> None:
    trap = tmp_path / "trap"
    value = f"$(shell touch {trap})$(touch {trap})`touch {trap}`'; touch {trap}"
    names = "PROFILE ONLY INTERPRETERS MACHINE MEASURE RESULTS SITE_URL REPOSITORY_URL FRESH"
    settings = dict.fromkeys(names.split(), value)
    if given == "argument":
        status, (call,) = run_make("site", *(f"{name}={value}" for name in settings))
    else:
        status, (call,) = run_make("site", **settings)
    assert status == 0
    assert call.endswith(f"FRESH={value}")
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
    assert list_ignored(together) == {word for word in alone.split() if word.startswith("tests/")}
    assert "tests/harness/test_process.py" in list_ignored(together)
    assert all((ROOT / path).exists() for path in list_ignored(together))


@pytest.mark.parametrize(("argument", "settings"), [(["FAST=1"], {}), ([], {"FAST": "1"})])
def test_fast_tests_leave_out_what_measures_and_what_needs_the_programs_or_the_site(
    run_make: RunMake, argument: list[str], settings: dict[str, str]
) -> None:
    _, calls = run_make("test", *argument, **settings)
    assert len(calls) == 1
    assert {"tests/harness/test_process.py", "tests/examples", "tests/browser"} < list_ignored(
        calls[0]
    )
    assert all((ROOT / path).exists() for path in list_ignored(calls[0]))
