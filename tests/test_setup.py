"""make sets up an environment with what Python there is, and says in a sentence why it cannot."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOLS = ("cat", "chmod", "cmp", "cp", "mkdir", "rm")
PYTHON = """\
#!/bin/sh
case "$1" in
-V) echo Python {version} ;;
-c) exit {too_old} ;;
-m)
  [ {able} = 1 ] || {{ echo several; echo lines; exit 1; }}
  rm -rf .venv; mkdir -p .venv/bin .venv/lib/python3/site-packages
  cp "$0" .venv/bin/python; echo '#!/bin/sh' >.venv/bin/uv; chmod +x .venv/bin/uv ;;
esac
"""
SetUp = Callable[[], tuple[int, str]]


@pytest.fixture
def set_up(tmp_path: Path) -> SetUp:
    """Has make set up a copy of the repository, where only the Pythons of ``bin`` are known."""
    (tmp_path / "requirements").mkdir()
    (tmp_path / "bin").mkdir()
    for name in ("Makefile", ".python-version", "requirements/uv.txt", "requirements/dev.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in TOOLS:
        found = shutil.which(name)
        assert found
        (tmp_path / "bin" / name).symlink_to(found)

    def run() -> tuple[int, str]:
        done = subprocess.run(
            [shutil.which("make") or "make", "--no-print-directory", ".venv/ready"],
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


def test_an_environment_is_made_once_and_anew_where_its_python_has_gone(
    set_up: SetUp, tmp_path: Path
) -> None:
    offer(tmp_path, "python3.12", "3.12.1")
    assert set_up() == (0, "setting up .venv with python3.12")
    assert set_up() == (0, "")
    (tmp_path / ".venv" / "bin" / "python").unlink()
    assert set_up() == (0, "setting up .venv with python3.12")


def test_an_environment_whose_python_has_become_another_is_made_anew(
    set_up: SetUp, tmp_path: Path
) -> None:
    offer(tmp_path, "python3", "3.11.2")
    set_up()
    offer(tmp_path, "python3", "3.13.5")
    shutil.copy(tmp_path / "bin" / "python3", tmp_path / ".venv" / "bin" / "python")
    (tmp_path / ".venv" / "lost").touch()
    assert set_up() == (0, "setting up .venv with python3")
    assert not (tmp_path / ".venv" / "lost").exists()
