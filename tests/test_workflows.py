"""What the workflows promise: whose numbers are published, what is kept, and what waits for what."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

FOLDER = Path(__file__).parents[1] / ".github" / "workflows"
WORKFLOWS = sorted(FOLDER.glob("*.yml"))
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
        assert writes == ({"pages", "id-token"} if name == "deploy" else set())
    for step in list_steps(workflow):
        if "checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_no_value_is_written_into_a_shell_command(path: Path) -> None:
    assert [step for step in list_steps(read(path.name)) if "${{" in step.get("run", "")] == []


def test_check_tries_the_pythons_and_systems_that_the_readme_promises() -> None:
    matrix = read("check.yml")["jobs"]["check"]["strategy"]["matrix"]
    assert {"3.11", "3.13", "3.15"} <= set(matrix["python"])
    systems = [*matrix["system"], *(one["system"] for one in matrix["include"])]
    assert {name.split("-")[0] for name in systems} == {"ubuntu", "macos"}


def test_nothing_is_measured_or_published_before_check_has_passed() -> None:
    jobs = read("publish.yml")["jobs"]
    assert jobs["check"]["uses"].endswith("/check.yml")
    assert set(jobs["build"]["needs"]) == {"ready", "check"}
    assert jobs["deploy"]["needs"] == "build"
    assert "if" not in jobs["build"]
    assert "if" not in jobs["deploy"]


def test_another_branch_than_main_is_refused_at_once() -> None:
    step = find_step("ready", "exit 1")
    assert step["if"] == "github.ref != 'refs/heads/main'"


def test_records_of_the_checkout_never_stand_for_the_runner() -> None:
    folder = read("publish.yml")["jobs"]["build"]["env"]["RESULTS"]
    assert folder == "${{ github.workspace }}/.records"
    caches = [one for one in list_steps(read("publish.yml")) if "/cache/" in one.get("uses", "")]
    assert {one["with"]["path"] for one in caches} == {".records"}
    assert len(caches) == 4


def test_only_a_push_that_changed_nothing_of_what_was_measured_is_not_measured() -> None:
    restore, measure = find_step("build", LAST_RUN), find_step("build", "make measure")
    assert restore["if"] == "github.event_name == 'push'"
    assert measure["if"] == f"steps.{restore['id']}.outputs.cache-matched-key == ''"
    inputs = find_step("build", "key=records")["env"]["INPUTS"]
    for covered in ("examples", "requirements", "scripts/host", "scripts/measure"):
        assert f"'{covered}/**'" in inputs


def test_measuring_ends_before_its_step_and_its_step_before_the_job() -> None:
    measure = find_step("build", "make measure")
    (limit,) = re.findall(r"timeout --signal=TERM --kill-after=5m (\d+)m", measure["run"])
    job = read("publish.yml")["jobs"]["build"]["timeout-minutes"]
    assert int(limit) + 5 < measure["timeout-minutes"] < job


def test_records_are_kept_whatever_became_of_measuring() -> None:
    step = find_step("build", "upload-artifact@")
    assert "always()" in step["if"]
    assert step["with"]["path"].startswith(".records/")


def test_a_run_that_was_cut_short_goes_on_when_it_is_run_again_and_no_other_does() -> None:
    restore, save = find_step("build", "was cut short"), find_step("build", "next attempt")
    assert restore["if"] == "github.run_attempt > 1"
    assert save["if"] == "always() && steps.measure.outcome == 'failure'"
    begun, attempt = restore["with"]["restore-keys"], "${{ github.run_attempt }}"
    assert begun.endswith("-${{ github.run_id }}-")
    assert restore["with"]["key"] == save["with"]["key"] == begun + attempt
    assert not begun.startswith(find_step("build", LAST_RUN)["with"]["restore-keys"])


def test_a_failed_program_is_published_and_the_site_knows_its_addresses() -> None:
    step = find_step("build", "make site")
    assert step["env"]["FAILURES"] == "tell"
    assert step["env"]["MEASURE"] == "0"
    assert 'REPOSITORY_URL="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"' in step["run"]
    assert "SITE_URL=" in step["run"]
