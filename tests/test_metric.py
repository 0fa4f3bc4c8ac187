"""A metric is one entry and its column: it is then measured, judged and shown."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from scripts.harness.paths import ROOT
from tests.copies import copy_repository
from tests.factories import write_experiment

ENTRY = """
    Metric(
        name="voluntary_switches",
        unit="times",
        about="How often the processes of the tree gave up their core.",
        words={"en": "voluntary context switches", "ru": "добровольные переключения"},
        read=lambda run: run.usage["ru_nvcsw"],
    ),
"""
COLUMN = """
    voluntary_switches: (
        Annotated[list[Annotated[int, _limit("voluntary_switches")]], TRIALS] | None
    ) = None
"""
PLACE = "    # A column is missing where the record is older than its metric.\n"
PROGRAM = "import time\nfor _ in range(20):\n    time.sleep(0.001)\n"
CLAIM = """
schema = 2

[[claims]]
id = "it-waits"
topic = "io"
source = "an-article"
all = [{ metric = "voluntary_switches", left = "one", right = 3, relation = "more", margin = 1 }]
[claims.confirmed]
en = "It waits {left}."
ru = "Ждёт {left}."
[claims.refuted]
en = "It hardly waits: {left}."
ru = "Почти не ждёт: {left}."
[claims.open]
en = "Too close to call: {left}."
ru = "Разница слишком мала: {left}."
"""
USE = """
import json, sys
import msgspec
from pathlib import Path
from scripts.harness.experiment import load_experiment
from scripts.harness.plan import Step
from scripts.harness.process import Launcher
from scripts.harness.pythons import Installation
from scripts.harness.record import add_trial
from scripts.harness.store import Results, make_schema, read_results, write_results
from scripts.harness.trial import Bench, run_trial
from scripts.site.declare.claims import load_claims
from scripts.site.judge.claims import check_evidence
from scripts.site.render.claims import format_condition
from scripts.site.render.published import make_document, format_csv
from scripts.site.render.words import load_words
from tests.factories import *
from tests.site.render.markup import make_evidence

folder = Path("examples/lab").resolve()
experiment = load_experiment(folder)
variant = make_variant(program="one", tasks=3, params={"SIZE": "3"})
bench = Bench(
    experiment=experiment, profile=experiment.profiles["quick"], server=None, launcher=Launcher(),
    installation=Installation(interpreter=make_interpreter(), path=Path(sys.executable)),
)
record = make_record(variant, [])
for _ in range(8):
    trial = run_trial(bench, Step(variant=variant, round=0, traced=False), (0,))
    assert trial.status == "ok", trial.reason
    calm = {"others_share": 0.0, "stolen_share": 0.0}  # else a busy machine leaves the claim open
    trial = replace(trial, values={**trial.values, **calm})
    record = add_trial(record, trial, traced=False, now=NOW)
bench.launcher.close()
path = Path("results/box/cpython-3.13.0.json")
machine, python = make_machine(), make_interpreter()
write_results(path, Results(machine=machine, interpreter=python, records=(record,)))
record, = read_results(path).records
evidence = make_evidence([record], experiment=experiment)
document = make_document([evidence])
claim, = load_claims(experiment, TERMS)
check, = check_evidence([claim], evidence)
print(json.dumps({
    "stored": json.loads(path.read_text())["rows"][0],
    "row": document["rows"][0],
    "csv": format_csv(document["rows"]),
    "schema": make_schema()["$defs"]["Record"]["properties"],
    "status": check.status,
    "condition": {one: format_condition(claim.all[0], load_words(one)) for one in ("en", "ru")},
}))
"""
NAME = "voluntary_switches"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a copy of the engine makes of a program when it has one metric more."""
    folder = tmp_path_factory.mktemp("copy")
    copy_repository(folder, "scripts")
    for name, place, added in (
        ("metrics", "_LISTED = (", f"_LISTED = ({ENTRY}"),
        ("record", PLACE, f"{COLUMN}{PLACE}"),
    ):
        path = folder / f"scripts/harness/{name}.py"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(place, added, 1), encoding="utf-8")
    write_experiment(folder / "examples/lab")
    (folder / "examples/lab/one.py").write_text(PROGRAM)
    (folder / "examples/lab/claims.toml").write_text(CLAIM, encoding="utf-8")
    env = os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-c", USE]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_one_entry_more_is_measured_and_stored(found: dict[str, Any]) -> None:
    values = found["stored"][NAME]
    assert len(values) == 8
    assert min(values) >= 20


def test_it_is_published_as_json_as_csv_and_in_the_schema(found: dict[str, Any]) -> None:
    assert found["row"][NAME] == found["stored"][NAME]
    assert NAME in found["csv"].splitlines()[0].split(",")
    assert "How often the processes" in json.dumps(found["schema"][NAME])


def test_a_claim_may_be_about_it_in_both_languages(found: dict[str, Any]) -> None:
    assert found["status"] == "confirmed"
    assert "voluntary context switches" in found["condition"]["en"]
    assert "добровольные переключения" in found["condition"]["ru"]
