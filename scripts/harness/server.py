"""The load server: ``examples/server.py``, started for the programs that fetch pages."""

import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Self

import psutil

from scripts.harness.experiment import Experiment, Profile
from scripts.harness.paths import SERVER
from scripts.harness.process import Command, Launcher

READY_TIMEOUT_S = 30.0
POLL_INTERVAL_S = 0.01


class LoadServerError(RuntimeError):
    """The load server did not start, or died; the message holds what it wrote to stderr."""


class LoadServer:
    """A running load server; a context manager, which starts and always stops it.

    It runs under a launcher of its own, and so ends with the engine however that ends.

    ``params`` are the profile's parameters, for the server's environment. ``url`` and ``tls_url`` are
    its addresses, ``ca`` the certificate that the latter needs; ``cores`` are those that it was moved
    to, none if it may run on all.
    """

    def __init__(self, params: Mapping[str, str]) -> None:
        self._command = Command(
            argv=(sys.executable, str(SERVER), "--port", "0", "--json"),
            env=dict(os.environ) | dict(params),
            cwd=SERVER.parent,
        )
        self.url = self.tls_url = ""
        self.ca = Path()
        self.cores: tuple[int, ...] = ()

    def __enter__(self) -> Self:
        self._launcher = Launcher()
        try:
            self._start()
        except BaseException:
            self._launcher.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._launcher.close()

    def move_to(self, cores: tuple[int, ...]) -> None:
        """Let it run on these cores from now on; without effect where a system has no affinity."""
        if not hasattr(os, "sched_setaffinity"):
            return
        self.cores = cores
        try:
            os.sched_setaffinity(self._process.pid, cores)
        except ProcessLookupError:
            raise self._explain("died") from None

    def cpu_s(self) -> float:
        """CPU seconds, user and system, that the server has used so far; in ticks of 10 ms."""
        try:
            times = self._process.cpu_times()
        except psutil.NoSuchProcess:
            raise self._explain("died") from None
        return float(times.user + times.system)

    def _start(self) -> None:
        pid = self._launcher.start(self._command)
        if pid is None:
            raise LoadServerError(
                f"the load server could not be started: {self._launcher.finish().error}"
            )
        self._process = psutil.Process(pid)
        deadline = time.monotonic() + READY_TIMEOUT_S
        while not (line := self._read_line()):
            if not self._process.is_running():
                raise self._explain("ended before it was ready")
            if time.monotonic() > deadline:
                raise self._explain(f"was not ready within {READY_TIMEOUT_S:g} s")
            time.sleep(POLL_INTERVAL_S)
        addresses = json.loads(line)
        self.url, self.tls_url = addresses["http"], addresses["https"]
        self.ca = Path(addresses["ca"])

    def _read_line(self) -> str:
        """The first line of its stdout, once it is whole."""
        line, ended, _ = self._launcher.stdout_path.read_text(encoding="utf-8").partition("\n")
        return line if ended else ""

    def _explain(self, what: str) -> LoadServerError:
        complaint = self._launcher.stderr_path.read_text(encoding="utf-8", errors="replace")
        return LoadServerError(f"the load server {what}\n{complaint}".rstrip())


def serve(experiment: Experiment, profile: Profile) -> AbstractContextManager[LoadServer | None]:
    """The load server for as long as programs of an experiment run, if they need one."""
    return LoadServer(profile.params) if experiment.needs_server else nullcontext()
