import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from poolwise.experiment import Experiment, load_experiment
from scripts.site.paths import EXAMPLES
from scripts.site.render.programs import make_bundle
from scripts.site.render.words import load_words
from tests.declared import EXPERIMENTS

PATIENCE_S = 180
"""How long a program may take: what hangs is found late, on any machine."""
TIMED_OUT = 124
"""The status of what did not end in time, as timeout(1) has it."""


@pytest.fixture(autouse=True)
def no_loop() -> Iterator[None]:
    """Programs run event loops of their own: that of a browser of other tests is put aside meanwhile."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)


@pytest.fixture(scope="session")
def matrix() -> Experiment:
    return load_experiment(EXAMPLES / "matrix")


@pytest.fixture(scope="session")
def smoke(matrix: Experiment) -> dict[str, str]:
    """What programs of the matrix are told at the size of the smoke profile, server apart."""
    return dict(matrix.profiles["smoke"].params)


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the bundles of all experiments are unpacked, as somebody does who downloads them."""
    folder = tmp_path_factory.mktemp("unpacked")
    for experiment in EXPERIMENTS:
        with ZipFile(BytesIO(make_bundle(experiment, [load_words("en")]))) as bundle:
            bundle.extractall(folder)
    return folder / "examples"


@pytest.fixture(scope="session")
def server(smoke: dict[str, str], unpacked: Path) -> Iterator[dict[str, str]]:
    """A running load server, as what programs are told of it."""
    command = [sys.executable, str(unpacked / "server.py"), "--port", "0", "--json"]
    with subprocess.Popen(
        command, env=os.environ | smoke, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            told = json.loads(process.stdout.readline())
            yield {
                "SERVER_URL": told["http"],
                "SERVER_TLS_URL": told["https"],
                "SSL_CERT_FILE": told["ca"],
            }
        finally:
            process.terminate()
        assert process.wait(PATIENCE_S) == 0


def run(
    folder: Path,
    file: str,
    settings: dict[str, str],
    timeout_s: float = PATIENCE_S,
    arguments: Sequence[str] = (),
) -> subprocess.CompletedProcess[str]:
    """Run a program the way a person would, with these settings over ours.

    What has not ended in time is killed with all that it started, and gets a status of its own.
    """
    ours = {name: value for name, value in os.environ.items() if name != "SERVER_URL"}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            [sys.executable, file, *arguments],
            cwd=folder,
            env=ours | settings,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            status = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            status = TIMED_OUT
        texts = [(file.seek(0), file.read().decode())[1] for file in (out, err)]
    return subprocess.CompletedProcess(process.args, status, *texts)
