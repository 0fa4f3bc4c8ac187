"""Publish and the check of contributions run here from their own YAML, job after job."""

import json
import os
import shutil
import sys
from collections.abc import Mapping
from math import prod
from pathlib import Path

import pytest

from making import make_interpreter, make_machine, make_record, make_variant, replace
from poolwise.machine import make_machine_id
from poolwise.record import Results
from poolwise.store import list_files, write_results
from tests.browser import runner as actions
from tests.browser.runner import PAGES, SERVER, Runner

ONLY = "multitasking"
PYTHON = "{}.{}".format(*sys.version_info)
COLUMN = {"runner": "ubuntu-24.04", "python": PYTHON, "part": {"name": "rest", "only": ONLY}}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """Publish, run by hand with one column in smoke; the jobs of the other columns are not had."""
    folder = tmp_path_factory.mktemp("publish")
    runner = Runner.read("publish.yml", folder, profile="smoke", runners="every")
    assert runner.run("ready") == "success"
    runner.needs["check"] = {"result": "success", "outputs": {}}
    assert runner.run("measure", COLUMN) == "success"
    runner.needs["measure"] = {"result": "failure", "outputs": {}}
    assert runner.run("build") == "success"
    assert runner.run("deploy") == "success"
    return runner


def test_the_matrix_has_every_runner_and_python_and_one_of_each_where_asked(
    published: Runner, tmp_path: Path
) -> None:
    matrix = json.loads(published.needs["ready"]["outputs"]["matrix"])
    assert [len(matrix[one]) for one in ("runner", "python", "part")] == [4, 5, 6]
    assert [one["runner"] for one in matrix["include"]] == matrix["runner"]
    assert {one["python"] for one in matrix["include"]} == {"+".join(matrix["python"])}
    one = Runner.read("publish.yml", tmp_path, runners="one")
    one.run("ready")
    assert count_jobs(one) == 7


def count_jobs(run: Runner) -> int:
    """How many jobs would measure."""
    outputs = run.needs["ready"]["outputs"]
    matrix = json.loads(outputs["matrix"])
    columns = [len(matrix[name]) for name in ("runner", "python", "part")]
    return 0 if outputs["same"] else prod(columns) + len(matrix["include"])


def test_a_job_hands_on_the_records_of_its_column(published: Runner) -> None:
    (folder,) = (published.folder / "artifacts").glob("77/records-*")
    assert folder.name == f"records-ubuntu-24.04-{PYTHON}-rest"
    (path,) = list_files(folder)
    rows = json.loads(path.read_text())["rows"]
    assert {row["experiment"] for row in rows} == {ONLY}
    assert json.loads(path.read_text())["machine"]["pair"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """Publish, run by hand in smoke on one runner, of which one job gives records."""
    runner = Runner.read("publish.yml", tmp_path_factory.mktemp("small"), **SMALL)
    publish(runner)
    return runner


SMALL = {"profile": "smoke", "runners": "one"}


def publish(run: Runner) -> None:
    """Run all jobs of Publish, of those that measure one."""
    assert run.run("ready") == "success"
    run.needs["check"] = {"result": "success", "outputs": {}}
    run.run("measure", COLUMN)
    assert run.run("build") == "success"
    assert run.run("deploy") == "success"


def list_steps(run: Runner, job: str) -> list[str]:
    return [step for name, step in run.ran if name == job]


def read_published(run: Runner, number: str) -> dict[str, str]:
    text = (run.folder / "artifacts" / number / "published" / "published").read_text()
    return dict(line.split("=", 1) for line in text.splitlines())


def test_a_push_of_a_mended_word_measures_nothing_and_publishes_the_last_records(
    small: Runner,
) -> None:
    push = small.push("78")
    publish(push)
    assert count_jobs(push) == 0
    assert push.needs["measure"]["result"] == "skipped"
    rows = small.folder / "artifacts" / "78" / "github-pages" / "data" / "results.csv"
    assert f"{ONLY}," in rows.read_text()
    told = {"records": "77", "commit": "sha-78", "inputs": "0"}
    expected = {**SMALL, **told}
    assert read_published(push, "78") == expected


def test_a_push_that_changes_programs_measures_no_more_than_was_asked_for_by_hand(
    small: Runner,
) -> None:
    push = small.push("79", files="changed")
    push.run("ready")
    push.needs["check"] = {"result": "success", "outputs": {}}
    assert count_jobs(push) == 7
    assert push.needs["ready"]["outputs"]["profile"] == "smoke"
    assert push.run("measure", COLUMN) == "success"
    assert {"The last records of this column", "Measure"} <= {*list_steps(push, "measure")}


def test_the_monthly_run_measures_anew_as_much_as_was_asked_for_by_hand(small: Runner) -> None:
    monthly = small.push("80")
    monthly.event = "schedule"
    monthly.run("ready")
    assert count_jobs(monthly) == 7


def test_what_nobody_has_run_by_hand_is_small(tmp_path: Path) -> None:
    first = Runner.read("publish.yml", tmp_path).push("1")
    first.run("ready")
    assert count_jobs(first) == 7
    assert first.needs["ready"]["outputs"]["profile"] == "quick"


def test_a_run_by_hand_publishes_the_pages_of_a_push_that_was_published_meanwhile(
    small: Runner,
) -> None:
    slow = end_meanwhile(small, "90")
    slow.event, slow.inputs = "workflow_dispatch", SMALL
    (small.folder / "artifacts" / "compared").write_text("ahead\n")
    assert slow.run("build") == "success"
    assert "The newest pages that were published" in list_steps(slow, "build")
    assert read_published(slow, "90")["records"] == "90"


def test_a_push_takes_along_the_records_and_the_wish_of_a_run_that_has_ended_meanwhile(
    small: Runner,
) -> None:
    push = end_meanwhile(small, "91")
    full = small.folder / "artifacts" / "92"
    shutil.copytree(small.folder / "artifacts" / "77", full)
    told = "profile=full\nrunners=every\ninputs=0\nrecords=92\ncommit=sha-92\n"
    (full / "published" / "published").write_text(told)
    (full / "published").touch()  # the newest
    assert push.run("build") == "success"
    assert "The records that were published last" in list_steps(push, "build")
    expected = {"profile": "full", "runners": "every", "inputs": "0", "records": "92"}
    assert read_published(push, "91") == {**expected, "commit": "sha-91"}


def end_meanwhile(small: Runner, number: str) -> Runner:
    """A push that has measured, of which nothing but the build is left."""
    push = small.push(number, files="changed")
    (small.folder / "artifacts" / "compared").unlink(missing_ok=True)
    push.run("ready")
    push.needs |= {name: {"result": "success", "outputs": {}} for name in ("check", "measure")}
    records = find_records(small)
    shutil.copytree(records, small.folder / "artifacts" / number / records.name)
    return push


def find_records(run: Runner) -> Path:
    (folder,) = (run.folder / "artifacts" / "77").glob("records-*")
    return folder


def test_the_site_is_built_from_what_was_merged_and_every_page_links_the_repository(
    published: Runner,
) -> None:
    site = published.folder / "artifacts" / "77" / "github-pages"
    address = f"{SERVER}/owner/name"
    pages = [path for language in ("en", "ru") for path in (site / language).rglob("index.html")]
    assert len(pages) > 2 * len(PAGES)
    texts = [path.read_text() for path in pages]
    assert all(address in text for text in texts if "<article" in text)  # others lead on
    assert "https://owner.example/name/en/" in (site / "sitemap.xml").read_text()
    assert f"{ONLY}," in (site / "data" / "results.csv").read_text()


def test_without_any_records_nothing_is_published(tmp_path: Path) -> None:
    runner = Runner.read("publish.yml", tmp_path, profile="smoke")
    columns = {"runner": ["box"], "python": ["3.13"], "part": [COLUMN["part"]]}
    outputs = {"address": "https://x.example", "matrix": json.dumps(columns)}
    runner.needs |= {
        "ready": {"result": "success", "outputs": outputs},
        "check": {"result": "success"},
        "measure": {"result": "failure"},
    }
    assert runner.run("build") == "failure"
    assert runner.run("deploy") == "skipped"
    assert not (tmp_path / "artifacts" / "77" / "published").exists()


def test_where_pages_is_not_enabled_the_summary_says_what_to_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = Runner.read("publish.yml", tmp_path, profile="smoke")

    def fail(*_: object) -> None:
        raise actions.StepFailed("Get Pages site failed.")

    monkeypatch.setitem(actions.ACTIONS, "configure-pages", fail)
    assert runner.run("ready") == "failure"
    assert "Under Settings, Pages choose GitHub Actions" in runner.summary
    assert set(runner.needs["ready"]["outputs"].values()) == {""}


def test_a_forged_contribution_is_refused_in_the_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = Runner.read("contributed.yml", tmp_path)
    runner.event = "pull_request"

    def check_out(runner: Runner, workspace: Path, given: Mapping[str, str]) -> None:
        actions.check_out(runner, workspace, given)
        forged = workspace / "results" / "contributed" / "box" / "cpython-3.13.0.json"
        forged.parent.mkdir(parents=True, exist_ok=True)
        forged.write_text('{"schema": 1, "machine": "<script>", "rows": [NaN]}')

    monkeypatch.setitem(actions.ACTIONS, "checkout", check_out)
    assert runner.run("check") == "failure"
    assert "Refused" in runner.summary
    assert "<script>" not in runner.summary


CURL = """\
#!/bin/sh
for last; do true; done
while [ "$1" != --output ]; do shift; done
echo "$last" >> asked
cp "$GIVEN" "$2"
"""


@pytest.mark.parametrize(
    ("body", "asked", "result"),
    [
        (
            "(https://github.com/user-attachments/files/1/a.json) https://evil.example/b.json",
            1,
            "success",
        ),
        ("https://evil.example/files/1/a.json $(touch hacked) `touch hacked`", 0, "failure"),
    ],
)
def test_what_is_attached_to_an_issue_is_fetched_from_there_alone_and_checked(
    body: str, asked: int, result: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "curl").write_text(CURL.replace("$GIVEN", str(write_results_file(tmp_path))))
    (tools / "curl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    runner = Runner.read("contributed.yml", tmp_path)
    runner.event, runner.issue = "issues", {"title": "[records] mine", "body": body, "number": "1"}
    assert runner.run("check") == result
    noted = tmp_path / "workspace-0" / "asked"
    assert len(noted.read_text().split() if noted.exists() else ()) == asked
    assert list(tmp_path.rglob("hacked")) == []
    assert ("Taken" in runner.summary) == bool(asked)


def write_results_file(folder: Path) -> Path:
    """A file as somebody may send it; its experiment is one of ours."""
    machine = make_machine()
    machine = replace(machine, id=make_machine_id(machine))
    record = make_record(make_variant(experiment="matrix", machine=machine.id))
    results = Results(machine=machine, interpreter=make_interpreter(), records=(record,))
    path = folder / "sent.json"
    write_results(path, results)
    return path
