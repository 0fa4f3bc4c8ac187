"""What the workflows promise beyond what zizmor looks at: whose numbers are published, what waits for what."""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.version import Version

from making import make_variant
from poolwise.plan import select_variants
from scripts.site.study.snippets import FILE
from tests.declared import CLAIMS, EXPERIMENTS

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = sorted(FOLDER.glob("*.yml"))
WRITES = {"deploy": {"pages", "id-token"}, "answer": {"issues"}}
"""What jobs may write; they have nothing of the repository's code at hand."""


def read(name: str) -> dict[Any, Any]:
    workflow: dict[Any, Any] = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    return workflow


def find_step(job: str, word: str) -> dict[str, Any]:
    """The one step of a job of Publish that uses or runs something with this word, or is named so."""
    steps = read("publish.yml")["jobs"][job]["steps"]
    places = ("uses", "run", "name")
    (step,) = (one for one in steps if any(word in one.get(place, "") for place in places))
    return dict(step)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_do_nothing_and_a_job_what_it_needs(path: Path) -> None:
    workflow = read(path.name)
    assert workflow["permissions"] == {}
    assert "secrets." not in path.read_text(encoding="utf-8")
    for name, job in workflow["jobs"].items():
        assert "permissions" in job, name
        assert "timeout-minutes" in job or "uses" in job, name
        writes = {scope for scope, right in job["permissions"].items() if right == "write"}
        assert writes == WRITES.get(name, set())
        for step in job.get("steps", ()):
            if "checkout" in step.get("uses", ""):
                assert not writes, name
                assert step["with"]["persist-credentials"] is False, name


def test_check_runs_the_whole_on_the_oldest_and_the_newest_promised_python() -> None:
    job = read("check.yml")["jobs"]["check"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    looked_for = re.findall(r"\b3\.\d+\b", makefile.partition("FIND_PYTHON =")[2].partition(";")[0])
    newest = max(looked_for, key=Version)
    matrix = job["strategy"]["matrix"]
    assert {oldest, newest} <= set(matrix["python"])
    assert "exclude" not in matrix
    assert ".ci/run" in [one["run"] for one in job["steps"] if "run" in one]
    assert f"Python {oldest} or later" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_tool_alone_is_tried_each_week_on_every_python_that_it_promises() -> None:
    job = read("check.yml")["jobs"]["tool"]
    assert job["if"] == "github.event_name == 'schedule'"
    promised = {f"3.{minor}" for minor in range(11, 16)}
    assert promised <= set(job["strategy"]["matrix"]["python"])
    assert any("make wheel" in step.get("run", "") for step in job["steps"])


def test_nothing_is_measured_or_published_before_check_has_passed() -> None:
    jobs = read("publish.yml")["jobs"]
    assert jobs["check"]["uses"].endswith("/check.yml")
    assert set(jobs["measure"]["needs"]) == {"ready", "check"}
    assert set(jobs["build"]["needs"]) == {"ready", "check", "measure"}
    assert jobs["deploy"]["needs"] == "build"
    assert jobs["measure"]["if"] == "needs.ready.outputs.same != 'true'"
    assert "needs.check.result == 'success'" in jobs["build"]["if"]
    assert jobs["deploy"]["if"] == "${{ !cancelled() && needs.build.result == 'success' }}"


def read_parts() -> dict[str, str]:
    """What each part measures, by its name."""
    settings = {"HOME_RUNNER": "box", "HOME_PYTHON": "3.14", "RUNNERS": "one", "PRIVATE": "false"}
    path = {"PATH": os.environ["PATH"]}
    planned = subprocess.check_output([ROOT / ".ci" / "plan"], env=settings | path, text=True)
    matrix = json.loads(planned.partition("\n")[0].removeprefix("matrix="))
    parts = [*matrix["part"], *(column["part"] for column in matrix["include"])]
    return {part["name"]: part["only"] for part in parts}


FAMILIES = [
    (one.name, family) for one in EXPERIMENTS if not one.on_request for family in one.families
]


def list_families(only: str) -> list[tuple[str, str]]:
    """Experiments and families that are measured by such an ``ONLY``."""
    variants = [make_variant(experiment=name, family=family.name) for name, family in FAMILIES]
    return [(one.experiment, one.family) for one in select_variants(variants, only)]


def test_every_family_is_in_exactly_one_part() -> None:
    measured = [family for only in read_parts().values() for family in list_families(only)]
    assert sorted(measured) == sorted((name, family.name) for name, family in FAMILIES)


def test_what_compares_pythons_is_in_the_part_whose_jobs_have_them_all() -> None:
    compared = {(name, one.name) for name, one in FAMILIES if one.interpreters == "every"}
    checks = (
        (name, one) for name, claims in CLAIMS.items() for claim in claims for one in claim.all
    )
    for name, one in checks:
        if one.right_python == "ordinary":
            compared |= {(name, one.left.family), (name, one.right.family)}
    assert compared <= set(list_families(read_parts()["releases"]))


def test_only_a_push_begins_with_the_last_records_and_those_of_main() -> None:
    restore = find_step("measure", "download-artifact")
    assert restore["if"].startswith("github.event_name == 'push' && ")
    script = (ROOT / ".ci" / "last").read_text(encoding="utf-8")
    assert '.head_branch == "main"' in script
    assert ".head_repository_id == .repository_id" in script
    inputs = find_step("ready", "What is measured where")["env"]["INPUTS"]
    for covered in (
        "examples/**",
        "requirements/**",
        "scripts/poolwise/src/**",
        "plan",
        "publish.yml",
    ):
        assert f"{covered}'" in inputs


def test_a_push_waits_for_no_run_by_hand_and_what_is_asked_for_by_default_is_small() -> None:
    workflow = read("publish.yml")
    assert "github.event_name == 'push'" in workflow["concurrency"]["group"]
    assert workflow["jobs"]["deploy"]["concurrency"]["group"] == "pages"
    inputs = workflow[True]["workflow_dispatch"]["inputs"]  # YAML reads ``on`` as yes
    assert [one["default"] for one in inputs.values()] == ["quick", "one"]


def test_a_pull_request_may_bring_what_snippets_print_and_no_record_but_a_contributed(
    tmp_path: Path,
) -> None:
    steps = read("contributed.yml")["jobs"]["check"]["steps"]
    (script,) = (step["run"] for step in steps if "diff -r" in step.get("run", ""))

    def refuses() -> bool:
        done = subprocess.run(
            ("bash", "-c", script), cwd=tmp_path, stdout=subprocess.DEVNULL, check=False
        )
        return done.returncode == 1

    for folder in (".known/results/box", "results/box", "results/contributed"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "results" / FILE).write_text("[]", encoding="utf-8")
    assert not refuses()
    assert f"!/results/{FILE}" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    (tmp_path / "results" / "box" / "cpython-3.14.7.json").touch()
    assert refuses()
