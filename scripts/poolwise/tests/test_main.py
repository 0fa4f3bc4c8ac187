"""The harness measures an experiment alone, with nothing installed that only pages need."""

import subprocess
import sys
from pathlib import Path

import pytest

from poolwise.__main__ import main
from poolwise.paths import ROOT
from poolwise.store import list_files, read_results
from tests.factories import write_experiment

TESTS = (
    "scripts/poolwise/tests",
    "--ignore=scripts/poolwise/tests/test_statistics.py",
)  # it draws by numpy
BLOCKED = ("mkdocs", "markdown_exec", "matplotlib", "jinja2", "babel", "numpy")
BLOCK = f"""
import runpy, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BLOCKED}:
            raise ImportError(name + " is blocked")

sys.meta_path.insert(0, Blocker())
"""


def run_blocked(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code where what only pages need cannot be imported."""
    return subprocess.run(
        [sys.executable, "-c", BLOCK + code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    write_experiment(folder)
    for name in ("one.py", "two.py"):
        (folder / name).write_text("print('time 0.001 s')\n", encoding="utf-8")
    return folder


def test_it_measures_an_experiment_without_anything_of_the_pages(lab: Path, tmp_path: Path) -> None:
    records = tmp_path / "records"
    options = ("--profile", "smoke", "--only", "one", "--into", str(records))
    code = 'import poolwise.run as run; run.WORK = "pass"\n'
    code += 'runpy.run_module("poolwise", run_name="__main__", alter_sys=True)'
    done = run_blocked(code, str(lab), *options)
    assert done.returncode == 0, done.stderr
    head, *rows = done.stdout.splitlines()
    assert head.split()[:2] == ["program", "family"]
    assert {(*row.split()[:2], row.split()[-1]) for row in rows} == {("one", "io", "1")}
    (path,) = list_files(records)
    results = read_results(path)
    assert results
    assert [len(record.timed) for record in results.records] == [1] * len(rows)


def test_its_tests_are_collected_without_anything_of_the_pages() -> None:
    code = "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    done = run_blocked(code, "-q", "--collect-only", "-p", "no:cacheprovider", *TESTS)
    assert done.returncode == 0, done.stdout[-2000:]


def test_what_is_wrong_is_told_in_a_sentence(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(lab), "--only", "99", "--into", str(tmp_path)]) == 2
    assert "ONLY=99 matches nothing" in capsys.readouterr().err
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "No such file" in capsys.readouterr().err
