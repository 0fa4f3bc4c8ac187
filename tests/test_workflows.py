"""What the workflows promise: whose numbers are published, what is kept, and what waits for what."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.declare.experiment import Experiment
from scripts.host.interpreters import Interpreter
from scripts.measure.plan import count_trials, list_variants, select_variants
from scripts.records.store import LARGEST_BYTES
from tests.declared import EXPERIMENTS
from tests.factories import make_interpreter, make_machine, make_variant

FOLDER = Path(__file__).parents[1] / ".github" / "workflows"
WORKFLOWS = sorted(FOLDER.glob("*.yml"))
WRITES = {"deploy": {"pages", "id-token"}, "accumulate": {"contents"}, "answer": {"issues"}}
"""What jobs may write; they have nothing of the repository's code at hand."""
LAST_RUN = "The records of the last run"


def read(name: str) -> dict[Any, Any]:
    workflow: dict[Any, Any] = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    return workflow


def list_steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job.get("steps", ())]


def find_step(job: str, word: str) -> dict[str, Any]:
    """The one step of a job of Publish that uses or runs something with this word, or is named so."""
    steps = read("publish.yml")["jobs"][job]["steps"]
    places = ("uses", "run", "name")
    (step,) = (one for one in steps if any(word in one.get(place, "") for place in places))
    return dict(step)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_action_is_pinned_to_a_commit_and_says_its_version(path: Path) -> None:
    uses = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    assert uses
    for one in uses:
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\$/\.github/\S+", one)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_do_nothing_and_a_job_what_it_needs(path: Path) -> None:
    workflow = read(path.name)
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        assert "permissions" in job, name
        assert "timeout-minutes" in job or "uses" in job, name
        writes = {scope for scope, right in job["permissions"].items() if right == "write"}
        assert writes == WRITES.get(name, set())
        uses = [step.get("uses", "") for step in job.get("steps", ())]
        assert not writes or not any("checkout" in one for one in uses), name
    for step in list_steps(workflow):
        if "checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


def test_workflows_of_pull_requests_read_only_and_have_no_secrets() -> None:
    for path in WORKFLOWS:
        workflow, text = read(path.name), path.read_text(encoding="utf-8")
        assert "pull_request_target" not in text
        assert "secrets." not in text
        if "pull_request" in (workflow[True] or ()):
            jobs = [job for job in workflow["jobs"].values() if "issues'" not in job.get("if", "")]
            assert all(set(job["permissions"].values()) <= {"read"} for job in jobs)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_no_value_is_written_into_a_shell_command(path: Path) -> None:
    assert [step for step in list_steps(read(path.name)) if "${{" in step.get("run", "")] == []


def test_check_tries_the_pythons_and_systems_that_the_readme_promises() -> None:
    matrix = read("check.yml")["jobs"]["check"]["strategy"]["matrix"]
    assert {"3.11", "3.13", "3.15"} <= set(matrix["python"])
    systems = [*matrix["system"], *(one["system"] for one in matrix["include"])]
    assert {name.split("-")[0] for name in systems} == {"ubuntu", "macos"}


def test_advisories_of_all_pins_are_asked_for_every_week_and_hold_no_change_up() -> None:
    (step,) = (one for one in list_steps(read("check.yml")) if "pip-audit" in one.get("run", ""))
    assert step["if"].startswith("github.event_name == 'schedule'")
    named = set(re.findall(r"-r requirements/(\S+)", step["run"]))
    assert named == {"uv.txt", "dev.txt"}  # the latter has what builds and programs take too
    folder = FOLDER.parents[1] / "requirements"
    assert "-r site.in" in (folder / "dev.in").read_text()
    assert "-r examples.in" in (folder / "site.in").read_text()


def test_nothing_is_measured_or_published_before_check_has_passed() -> None:
    jobs = read("publish.yml")["jobs"]
    assert jobs["check"]["uses"].endswith("/check.yml")
    assert set(jobs["measure"]["needs"]) == {"ready", "check"}
    assert set(jobs["build"]["needs"]) == {"ready", "check", "measure"}
    assert jobs["deploy"]["needs"] == "build"
    assert "if" not in jobs["measure"]
    assert "needs.check.result == 'success'" in jobs["build"]["if"]
    for name in ("deploy", "accumulate"):
        assert jobs[name]["if"] == "${{ !cancelled() && needs.build.result == 'success' }}"


def test_another_branch_than_main_is_refused_at_once() -> None:
    step = find_step("ready", "exit 1")
    assert step["if"] == "github.ref != 'refs/heads/main'"


def test_records_of_the_checkout_never_stand_for_a_runner() -> None:
    for job in ("measure", "build"):
        folder = read("publish.yml")["jobs"][job]["env"]["RESULTS"]
        assert folder == "${{ github.workspace }}/.records"
    caches = [one for one in list_steps(read("publish.yml")) if "/cache/" in one.get("uses", "")]
    assert [one["with"]["path"] for one in caches] == [".records", ".records"]
    assert "merge .artifacts results" in find_step("build", "scripts merge")["run"]


def test_a_runner_that_fails_costs_its_column_alone() -> None:
    jobs = read("publish.yml")["jobs"]
    assert jobs["measure"]["strategy"]["fail-fast"] is False
    assert "measure" not in jobs["build"]["if"]
    assert find_step("build", "download-artifact")["continue-on-error"] is True


def split() -> dict[str, list[Experiment]]:
    """The experiments of each part, by its name."""
    run = find_step("ready", "runners=")["run"]
    parts = json.loads(re.search(r"parts='(.+?)'", run, re.DOTALL)[1])  # type: ignore[index]
    variants = {one.name: make_variant(experiment=one.name) for one in EXPERIMENTS}
    chosen = {part["name"]: select_variants([*variants.values()], part["only"]) for part in parts}
    return {
        name: [one for one in EXPERIMENTS if variants[one.name] in found]
        for name, found in chosen.items()
    }


def test_every_experiment_is_in_exactly_one_part() -> None:
    measured = [one.name for part in split().values() for one in part]
    assert sorted(measured) == sorted(one.name for one in EXPERIMENTS)


def plan_minutes(experiment: Experiment, *pythons: Interpreter) -> float:
    """How long its first rounds take in `full` on four cores, by what it declares."""
    profile = experiment.profiles["full"]
    machine = make_machine(logical_cores=4, affinity=(0, 1, 2, 3))
    variants = list_variants(experiment, profile, machine, pythons, pythons, 4)
    counts = [count_trials(profile, one) for one in variants]
    return sum(one.traced + one.timed for one in counts) * profile.estimate_s / 60


def test_every_part_can_be_measured_within_the_time_of_its_job() -> None:
    """Also twice, with and without the GIL; of the matrix whoever does that gets fewer rounds."""
    limits = find_step("measure", ".ci/measure")["env"]["LIMIT_S"]
    limit_min = int(re.findall(r"\d+", limits)[1]) / 60
    free = make_interpreter(id="cpython-3.15.0t", version="3.15.0", free_threaded=True, gil="off")
    locked = make_interpreter(id="cpython-3.15.0t-gil", version="3.15.0", free_threaded=True)
    for name, experiments in split().items():
        planned_min = [
            sum(plan_minutes(one, *pythons) for one in experiments)
            for pythons in ([locked], [free, locked])
        ]
        assert planned_min[0] <= 0.9 * limit_min, name
        assert planned_min[1] <= limit_min or [one.name for one in experiments] == ["matrix"], name


def test_what_a_contribution_may_weigh_is_the_same_wherever_it_is_said() -> None:
    text = (FOLDER / "contributed.yml").read_text(encoding="utf-8")
    assert re.findall(r"--max-filesize (\d+)", text) == [str(LARGEST_BYTES)]
    told = f"{LARGEST_BYTES >> 20} MiB"
    assert told in text
    assert f"more than {told}" in (FOLDER.parents[1] / "CONTRIBUTING.md").read_text(
        encoding="utf-8"
    )


def test_only_a_push_that_changed_nothing_of_what_was_measured_is_not_measured() -> None:
    restore, measure = find_step("measure", LAST_RUN), find_step("measure", ".ci/measure")
    assert restore["if"] == "github.event_name == 'push'"
    assert measure["if"] == f"steps.{restore['id']}.outputs.cache-matched-key == ''"
    inputs = find_step("measure", "key=records")["env"]["INPUTS"]
    for covered in ("examples", "requirements", "scripts/host", "scripts/measure"):
        assert f"'{covered}/**'" in inputs


@pytest.mark.parametrize(("place", "longest_min"), [(0, 15), (1, 120)])
def test_measuring_ends_before_its_step_and_its_step_before_the_job(
    place: int, longest_min: int
) -> None:
    job = read("publish.yml")["jobs"]["measure"]
    measure = find_step("measure", ".ci/measure")
    limits = (measure["env"]["LIMIT_S"], measure["timeout-minutes"], job["timeout-minutes"])
    found_s, step_min, job_min = (int(re.findall(r"\d+", one)[place]) for one in limits)
    assert all("matrix.runner == 'ubuntu-slim'" in one for one in limits)
    assert found_s / 60 + 2 <= step_min < job_min < longest_min


def test_records_are_kept_whatever_became_of_measuring() -> None:
    step = find_step("measure", "upload-artifact@")
    assert "always()" in step["if"]
    assert step["with"]["path"].startswith(".records/")


def test_a_failed_program_is_published_and_the_site_knows_its_addresses() -> None:
    step = find_step("build", "make site")
    assert step["env"]["FAILURES"] == "tell"
    assert step["env"]["MEASURE"] == "0"
    assert 'REPOSITORY_URL="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"' in step["run"]
    assert "SITE_URL=" in step["run"]
