"""Whatever a results file holds can be judged if it is read."""

import json
import random
from pathlib import Path
from typing import Any

from scripts.harness.store import DamagedRecords, locate, read_results, write_results
from scripts.site.judge.judge import judge_records
from tests.factories import make_experiment
from tests.harness.test_store import RESULTS

Json = Any


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


def test_whatever_a_file_holds_is_judged_or_told_in_a_sentence(tmp_path: Path) -> None:
    experiment, path = make_experiment(), locate(tmp_path, "box", "cpython-3.13.0")
    cells = {(one.name, family) for one in experiment.programs for family in one.families}
    write_results(path, RESULTS)
    valid, chance = path.read_bytes(), random.Random(2026)
    read = 0
    for _ in range(300):
        file = json.loads(valid)
        mutate_value(file, chance)
        path.write_text(json.dumps(file))
        found, told = None, ""
        try:
            found = read_results(path)
        except DamagedRecords as error:
            told = str(error)
        assert bool(found) != (told.startswith(f"{path}: ") and told.isprintable())
        if not found:
            continue
        read += 1
        known = [one for one in found.records if (one.program, one.family) in cells]
        declared = [one for one in known if one.profile in experiment.profiles]
        assert len(judge_records(experiment, declared)) == len(declared)
    assert 20 < read < 250
