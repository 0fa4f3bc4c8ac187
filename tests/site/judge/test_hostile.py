"""Whatever a results file holds can be judged if it is read."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from scripts.harness.record import Record
from scripts.harness.store import DamagedRecords, locate, read_results, write_results
from scripts.site.judge.judge import judge_records
from tests.factories import make_experiment
from tests.harness.test_store import RESULTS

Json = Any


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = locate(tmp_path, "box", "cpython-3.13.0")
    write_results(path, RESULTS)
    return path


VALUES: list[Json] = [
    *(0, 1, -1, 2, 0.5, -0.5, 1e-320, 1e-5, 1e6, 1e308, -1e308, 10**30, 2**63, True, None),
    *("", "x", "on", "ok", "timeout", "\u202e", "\x00", "/"),
    *("2026-01-01T00:00:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"),
    *([], [[]], {}, [None], [1e308], {"a": 1}, [[[0, 1, 0]]], "9" * 400, "x" * 5000),
]


def mutate_value(file: Json, chance: random.Random) -> None:
    """Put another value somewhere, or take one away."""
    part = chance.choice([file, file["machine"], file["interpreter"], *file["rows"], *file["rows"]])
    while True:
        key = chance.choice([*(part if isinstance(part, dict) else range(len(part)))])
        if not isinstance(part[key], dict | list) or not part[key] or chance.random() < 0.3:
            break
        part = part[key]
    if chance.random() < 0.1:
        del part[key]
    else:
        part[key] = chance.choice(VALUES)


EXPERIMENT = make_experiment()


def is_declared(record: Record) -> bool:
    cells = {(one.name, family) for one in EXPERIMENT.programs for family in one.families}
    cell = (record.variant.program, record.variant.family)
    return cell in cells and record.profile in EXPERIMENT.profiles


def test_whatever_a_file_holds_is_judged_or_told_in_a_sentence(path: Path) -> None:
    valid, chance = path.read_bytes(), random.Random(2026)
    read = 0
    for _ in range(300):
        file = json.loads(valid)
        mutate_value(file, chance)
        path.write_text(json.dumps(file))
        results, told = None, ""
        try:
            results = read_results(path)
        except DamagedRecords as error:
            told = str(error)
        assert bool(results) != (told.startswith(f"{path}: ") and told.isprintable())
        if results:
            read += 1
            declared = [one for one in results.records if is_declared(one)]
            assert len(judge_records(EXPERIMENT, declared)) == len(declared)
    assert 20 < read < 250
