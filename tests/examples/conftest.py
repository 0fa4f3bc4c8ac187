import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.measure.experiment import EXAMPLES, Experiment, load_experiment


@pytest.fixture(scope="session")
def matrix() -> Experiment:
    return load_experiment(EXAMPLES / "matrix")


@pytest.fixture(scope="session")
def smoke(matrix: Experiment) -> dict[str, str]:
    """The environment of programs at the size of the smoke profile, server apart."""
    settings = os.environ | matrix.profiles["smoke"].params
    return {name: value for name, value in settings.items() if name != "SERVER_URL"}


@pytest.fixture(scope="session")
def server(smoke: dict[str, str]) -> Iterator[dict[str, str]]:
    """Addresses of a running load server: ``http``, ``https``, ``ca``."""
    command = [sys.executable, str(EXAMPLES / "server.py"), "--port", "0", "--json"]
    with subprocess.Popen(command, env=smoke, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()
        assert process.wait(10) == 0


def run(folder: Path, file: str, settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a program the way a person would."""
    return subprocess.run(
        [sys.executable, file],
        cwd=folder,
        env=settings,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
