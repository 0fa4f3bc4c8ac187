"""Merging: what it takes to check as many results files as many runners give."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from bench.benchmark import Benchmark
from scripts.harness.paths import ROOT
from scripts.site.settings import read_settings

MERGED = 500
MERGE_S = 30.0
MERGE_BYTES = 1 << 30


def time_merging() -> Iterator[Benchmark]:
    """What it takes to check and merge as many files as many runners give.

    They are made of the one of middle size in ``RESULTS``, as of other machines; nothing is said
    where there is none.
    """
    found = read_settings(os.environ).results.glob("*/*.json")
    paths = sorted(found, key=lambda one: one.stat().st_size)
    if not paths:
        return
    path = paths[len(paths) // 2]
    text = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(MERGED):
            place = folder / "from" / str(number) / path.name
            place.parent.mkdir(parents=True)
            place.write_text(text.replace(path.parent.name, f"machine-{number}"), encoding="utf-8")
        began_s = perf_counter()
        process = subprocess.Popen(
            (sys.executable, "-m", "scripts.site", "merge"),
            cwd=ROOT,
            env=os.environ | {"RESULTS": str(folder / "to"), "MEASURED": str(folder / "from")},
            stdout=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        took_s = perf_counter() - began_s
        largest_bytes = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    yield Benchmark(
        what=f"{MERGED} results files of {len(text) / 1000:.0f} kB checked and merged",
        value=f"{took_s:.1f} s, {largest_bytes / (1 << 20):.0f} MiB",
        budget=f"{MERGE_S:.0f} s, {MERGE_BYTES / (1 << 20):.0f} MiB",
        kept=not process.returncode and took_s <= MERGE_S and largest_bytes <= MERGE_BYTES,
    )
