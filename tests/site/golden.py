"""Golden fragments: generated blocks as they were when somebody last read them.

They are in made-up words, a key for each phrase, so that no change of wording touches them.
``GOLDEN=update`` writes them anew; what changed is then read in the difference.
"""

import os
import re
from pathlib import Path
from typing import Any

from making import make_build, make_record, make_variant, replace
from poolwise.declaration import Reason
from poolwise.pythons import Interpreter
from poolwise.record import Record
from scripts.site.judge.evidence import Evidence
from scripts.site.render.words import Words, load_words
from tests.factories import PLAIN, POOL, TERMS
from tests.site.render.markup import make_evidence

FOLDER = Path(__file__).parent / "golden"
ASYNC = "06-io-async"
COMPUTE, PROCESSES = "08-cpu-sequential", "12-cpu-process_pool"
KEPT = ("locale", "name")
PLURAL = {"one", "few", "many", "other"}


def disguise(words: Any, key: str = "") -> Any:
    """A catalogue that says of each phrase only its key, and what is filled in."""
    if isinstance(words, dict):
        forms = words.keys() <= PLURAL
        return {
            name: one if name in KEPT and not key else disguise(one, key if forms else name)
            for name, one in words.items()
        }
    if not isinstance(words, str):
        return words
    return f"[{' '.join([key, *re.findall(r'{[^}]*}', words)])}]"


WORDS = Words("en", disguise(load_words("en").catalogue)).add(TERMS)


def compare(name: str, markup: str) -> None:
    """A block, or another text where the name says so, with what was kept of it."""
    path = FOLDER / (name if "." in name else f"{name}.html")
    shown = str(markup).rstrip("\n") + "\n"
    if path.suffix == ".html":
        shown = shown.replace("><", ">\n<")
    if os.environ.get("GOLDEN") == "update":
        FOLDER.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8"), f"see git diff after GOLDEN=update: {path}"


OLD, NEW, OLDER = make_build("3.9.2"), make_build("3.13.0"), make_build("3.7.3")
FREE, LOCKED = make_build("3.14.1", "t"), make_build("3.14.1", "t-gil")


def measure(python: Interpreter, program: str, wall_s: float, **changes: object) -> Record:
    variant = make_variant(program=program, interpreter=python.id, gil=python.gil, **changes)
    return make_record(variant, [wall_s, wall_s * 1.01, wall_s * 0.99, wall_s, wall_s])


def lack(record: Record, status: str = "unavailable", stderr: str = "") -> Record:
    """A record of a program that could not run, or failed."""
    reason = Reason("no-wheel", {"package": "aiohttp"})
    told = Reason("exited", {"code": "1"}) if status == "failed" else reason
    return replace(record, status=status, reason=told, stderr=stderr, timed=(), traced=())


def measure_lab(*pythons: Interpreter) -> Evidence:
    """Two kinds of work on two core counts: a gain, none, a failure, and what one Python lacks."""
    records = []
    for python in pythons or (NEW,):
        for cores in (1, 2):
            records += [
                measure(python, PLAIN, 4.0, cores=cores),
                measure(python, POOL, 1.0, cores=cores, workers=30),
                measure(python, COMPUTE, 2.0, cores=cores, family="cpu"),
            ]
            spread = measure(python, PROCESSES, 2.1 / cores, cores=cores, family="cpu", workers=2)
            if python == OLD:
                spread = lack(spread)
            elif cores == 1:
                spread = lack(spread, "failed", "<boom> & bang")
            records.append(spread)
    return make_evidence(records, pythons or (NEW,))
