"""The programs of the matrix: they run by hand, agree, and say what is wrong in one sentence."""

import os
import subprocess
import sys

import pytest

from scripts.harness.experiment import Experiment, Program, load_experiment
from scripts.harness.paths import EXAMPLES
from tests.examples.conftest import PATIENCE_S, run

PROGRAMS = load_experiment(EXAMPLES / "matrix").programs
ONLINE = {one.kind: one for one in PROGRAMS if "cpu" not in one.families}.values()
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


@pytest.mark.parametrize(
    "file", [program.file for program in PROGRAMS if "cpu" in program.families]
)
def test_a_program_that_only_computes_imports_no_http_client(
    file: str, matrix: Experiment, smoke: dict[str, str]
):
    probe = f"import runpy, sys; runpy.run_path({file!r}); print(*sys.modules, sep='\\n')"

    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, '.'); {probe}"],
        cwd=matrix.folder,
        env=os.environ | smoke,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )

    assert not {"aiohttp", "urllib3", "requests", "httpx", "ssl"} & set(done.stdout.split())
