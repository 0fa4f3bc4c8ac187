"""Results files of strangers: read as what they may be, and checked, on all cores at once."""

import gc
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from multiprocessing import get_context
from pathlib import Path

from scripts.harness.experiment import Experiment
from scripts.harness.machine import usable_cores
from scripts.harness.metrics import METRICS
from scripts.harness.row import Row, list_columns
from scripts.harness.store import LARGEST_BYTES, DamagedRecords, RecordsError, check_file, read_file
from scripts.site.check.contributed import find_doubtful
from scripts.site.check.results import find_untrue

_NAME = re.compile(r"(?!(?:con|prn|aux|nul|com\d|lpt\d)$)[a-z0-9][a-z0-9+_-]*(?:\.[a-z0-9+_-]+)*")
"""What every system takes for the name of a file, and none for that of another."""
CPU = METRICS["cpu_s"].of
FEW = 8
"""So many files are checked before further processes have begun to."""

_given: tuple[Mapping[str, Experiment], bool] = ({}, True)
"""Of a process of the pool, to which it is not handed over with each file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFile:
    """What is in a file, and whose it is; or the faults, sentences, for which it is refused.

    ``count`` is how many records it has.
    """

    path: Path
    faults: tuple[str, ...] = ()
    data: bytes = b""
    machine: str = ""
    interpreter: str = ""
    count: int = 0


def check_files(
    paths: Sequence[Path], experiments: Mapping[str, Experiment], *, contributed: bool
) -> Iterator[CheckedFile]:
    """Check each file, in order. Of those that are held meanwhile there are a few a core.

    What is ``contributed`` has to keep more rules than what was measured by this build's jobs.
    """
    given = (experiments, contributed)
    if len(paths) <= FEW or sys.platform != "linux":  # elsewhere not every library outlives a fork
        yield from (_check(path, *given) for path in paths)
        return
    with ProcessPoolExecutor(
        len(usable_cores()), get_context("fork"), _prepare_process, given
    ) as pool:
        yield from pool.map(_check_here, paths)


def _prepare_process(experiments: Mapping[str, Experiment], contributed: bool) -> None:
    global _given  # noqa: PLW0603 - it is of the pool's process
    _given = (experiments, contributed)
    gc.disable()  # nothing of a file refers to itself, and looking for that takes a fifth of the time


def _check_here(path: Path) -> CheckedFile:
    return _check(path, *_given)


def _check(path: Path, experiments: Mapping[str, Experiment], contributed: bool) -> CheckedFile:
    try:
        data = _read(path)
        found = check_file(data, Path(path.name), placed=False)
    except RecordsError as error:
        return CheckedFile(path=path, faults=error.faults)
    name = found.interpreter.id
    bad = [] if _NAME.fullmatch(name) else [f"no file can be called {name} everywhere"]
    if contributed and not found.machine.has_own_id:
        bad.append(f"the machine {found.machine.id} is not what it says of itself")
    checked = (found.rows, found.interpreter, experiments)
    doubtful = find_doubtful(*checked) if contributed else ()
    nought = chain.from_iterable(map(_find_nought, found.rows))
    if faults := (*bad, *find_untrue(*checked), *nought, *doubtful):
        return CheckedFile(path=path, faults=faults)
    return CheckedFile(
        path=path,
        data=data,
        machine=found.machine.id,
        interpreter=found.interpreter.id,
        count=len(found.rows),
    )


def _read(path: Path) -> bytes:
    """The bytes of a results file.

    Raises:
        RecordsError: there is none, or it cannot be one.
    """
    data = read_file(path, LARGEST_BYTES, lambda _: path.read_bytes(), follow_links=False)
    if data is None:
        raise RecordsError(f"{path}: there is no such file or folder")
    if path.suffix != ".json":
        raise DamagedRecords("not a .json file; what is packed has to be unpacked first")
    return data


def _find_nought(row: Row) -> Iterator[str]:
    """What every run of a Python takes something of: pages set it into proportion."""
    columns = list_columns(row, ("inside_s", "max_rss_bytes", "peak_pss_bytes"))
    columns["cpu_s"] = [sum(parts) for parts in zip(*list_columns(row, CPU).values(), strict=False)]
    for name, values in columns.items():
        if 0 in values:
            yield f"{row.experiment}/{row.program}: {name} is nought"
