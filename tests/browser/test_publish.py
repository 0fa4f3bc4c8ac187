"""Publish and the check of contributions run here from their own YAML, job after job; with ALL=1."""

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

pytestmark = pytest.mark.skipif(not os.environ.get("ALL"), reason="ALL=1 rehearses Publish")
ONLY = "multitasking"
PYTHON = "{}.{}".format(*sys.version_info)
COLUMN = {"runner": "ubuntu-24.04", "python": PYTHON, "part": {"name": "rest", "only": ONLY}}
SMALL = {"profile": "smoke", "runners": "one"}
CHECKED = {"result": "success", "outputs": {}}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """Publish, run by hand with one column in smoke; the jobs of the other columns are not had."""
    run = Runner.read("publish.yml", tmp_path_factory.mktemp("publish"), **SMALL)
    publish(run)
    return run


def publish(run: Runner) -> None:
    """Run all jobs of Publish, of those that measure one."""
    assert run.run("ready") == "success"
    run.needs["check"] = CHECKED
    run.run("measure", COLUMN)
    assert run.run("build") == "success"
    assert run.run("deploy") == "success"


def count_jobs(run: Runner) -> int:
    """Count the jobs that would measure."""
    outputs = run.needs["ready"]["outputs"]
    matrix = json.loads(outputs["matrix"])
    columns = [len(matrix[name]) for name in ("runner", "python", "part")]
    return 0 if outputs["same"] else prod(columns) + len(matrix["include"])


def list_steps(run: Runner, job: str) -> list[str]:
    return [step for name, step in run.ran if name == job]


def read_published(run: Runner, number: str) -> dict[str, str]:
    text = (run.folder / "artifacts" / number / "published" / "published").read_text()
    return dict(line.split("=", 1) for line in text.splitlines())


def find_records(run: Runner) -> Path:
    (folder,) = (run.folder / "artifacts" / "77").glob("records-*")
    return folder


def test_the_matrix_has_every_runner_and_python_and_one_of_each_where_asked(
    published: Runner, tmp_path: Path
) -> None:
    every = Runner.read("publish.yml", tmp_path, runners="every")
    assert every.run("ready") == "success"
    matrix = json.loads(every.needs["ready"]["outputs"]["matrix"])
    assert [len(matrix[name]) for name in ("runner", "python", "part")] == [4, 5, 6]
    assert [column["runner"] for column in matrix["include"]] == matrix["runner"]
    assert {column["python"] for column in matrix["include"]} == {"+".join(matrix["python"])}
    assert count_jobs(published) == 7


def test_a_job_hands_on_the_records_of_its_column(published: Runner) -> None:
    folder = find_records(published)
    assert folder.name == f"records-ubuntu-24.04-{PYTHON}-rest"
    (path,) = list_files(folder)
    file = json.loads(path.read_text())
    assert {row["experiment"] for row in file["rows"]} == {ONLY}
    assert file["machine"]["pair"]


def test_the_site_is_built_from_what_was_merged_and_every_page_links_the_repository(
    published: Runner,
) -> None:
    site = published.folder / "artifacts" / "77" / "github-pages"
    texts = [path.read_text() for path in (*site.glob("en/**/*.html"), *site.glob("ru/**/*.html"))]
    assert len(texts) > 2 * len(PAGES)
    # Those without an article lead on.
    assert all(f"{SERVER}/owner/name" in text for text in texts if "<article" in text)
    assert "https://owner.example/name/en/" in (site / "sitemap.xml").read_text()
    assert f"{ONLY}," in (site / "data" / "results.csv").read_text()


def test_a_push_of_a_mended_word_measures_nothing_and_publishes_the_last_records(
    published: Runner,
) -> None:
    push = published.push("78")
    publish(push)
    assert count_jobs(push) == 0
    assert push.needs["measure"]["result"] == "skipped"
    rows = push.folder / "artifacts" / "78" / "github-pages" / "data" / "results.csv"
    assert f"{ONLY}," in rows.read_text()
    expected = {**SMALL, "records": "77", "commit": "sha-78", "inputs": "0"}
    assert read_published(push, "78") == expected


def test_a_push_that_changes_programs_measures_no_more_than_was_asked_for_by_hand(
    published: Runner,
) -> None:
    push = published.push("79", files="changed")
    push.run("ready")
    push.needs["check"] = CHECKED
    assert count_jobs(push) == 7
    assert push.needs["ready"]["outputs"]["profile"] == "smoke"
    assert push.run("measure", COLUMN) == "success"
    assert {"The last records of this column", "Measure"} <= {*list_steps(push, "measure")}


def test_the_monthly_run_measures_as_much_as_was_asked_for_and_the_first_push_little(
    published: Runner, tmp_path: Path
) -> None:
    monthly = published.push("80")
    monthly.event = "schedule"
    first = Runner.read("publish.yml", tmp_path).push("1")
    for run in (monthly, first):
        run.run("ready")
        assert count_jobs(run) == 7
    assert first.needs["ready"]["outputs"]["profile"] == "quick"


def end_meanwhile(published: Runner, number: str) -> Runner:
    """A push that has measured, of which nothing but the build is left."""
    push = published.push(number, files="changed")
    (push.folder / "artifacts" / "compared").unlink(missing_ok=True)
    push.run("ready")
    push.needs |= {"check": CHECKED, "measure": CHECKED}
    records = find_records(published)
    shutil.copytree(records, push.folder / "artifacts" / number / records.name)
    return push


def test_a_run_by_hand_publishes_the_pages_of_a_push_that_was_published_meanwhile(
    published: Runner,
) -> None:
    slow = end_meanwhile(published, "90")
    slow.event, slow.inputs = "workflow_dispatch", SMALL
    (slow.folder / "artifacts" / "compared").write_text("ahead\n")
    assert slow.run("build") == "success"
    assert "The newest pages that were published" in list_steps(slow, "build")
    assert read_published(slow, "90")["records"] == "90"


def test_a_push_takes_along_the_records_and_the_wish_of_a_run_that_has_ended_meanwhile(
    published: Runner,
) -> None:
    push = end_meanwhile(published, "91")
    full = push.folder / "artifacts" / "92"
    shutil.copytree(push.folder / "artifacts" / "77", full)
    wish = {"profile": "full", "runners": "every", "inputs": "0", "records": "92"}
    lines = [f"{name}={value}\n" for name, value in wish.items()]
    (full / "published" / "published").write_text("".join([*lines, "commit=sha-92\n"]))
    (full / "published").touch()  # the newest
    assert push.run("build") == "success"
    assert "The records that were published last" in list_steps(push, "build")
    assert read_published(push, "91") == {**wish, "commit": "sha-91"}


def test_without_any_records_nothing_is_published(tmp_path: Path) -> None:
    run = Runner.read("publish.yml", tmp_path, profile="smoke")
    columns = {"runner": ["box"], "python": ["3.13"], "part": [COLUMN["part"]]}
    outputs = {"address": "https://x.example", "matrix": json.dumps(columns)}
    run.needs |= {"ready": {"result": "success", "outputs": outputs}, "check": CHECKED}
    run.needs["measure"] = {"result": "failure"}
    assert run.run("build") == "failure"
    assert run.run("deploy") == "skipped"
    assert not (tmp_path / "artifacts" / "77" / "published").exists()


def test_where_pages_is_not_enabled_the_summary_says_what_to_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Runner.read("publish.yml", tmp_path, profile="smoke")

    def fail(*_: object) -> None:
        raise actions.StepFailed("Get Pages site failed.")

    monkeypatch.setitem(actions.ACTIONS, "configure-pages", fail)
    assert run.run("ready") == "failure"
    assert "Under Settings, Pages choose GitHub Actions" in run.summary
    assert set(run.needs["ready"]["outputs"].values()) == {""}


def test_a_forged_contribution_is_refused_in_the_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Runner.read("contributed.yml", tmp_path)
    run.event = "pull_request"

    def check_out(run: Runner, workspace: Path, inputs: Mapping[str, str]) -> None:
        actions.check_out(run, workspace, inputs)
        forged = workspace / "results" / "contributed" / "box" / "cpython-3.13.0.json"
        forged.parent.mkdir(parents=True, exist_ok=True)
        forged.write_text('{"schema": 1, "machine": "<script>", "rows": [NaN]}')

    monkeypatch.setitem(actions.ACTIONS, "checkout", check_out)
    assert run.run("check") == "failure"
    assert "Refused" in run.summary
    assert "<script>" not in run.summary


CURL = """\
#!/bin/sh
for last; do true; done
while [ "$1" != --output ]; do shift; done
echo "$last" >> asked
cp "$GIVEN" "$2"
"""
ATTACHED = "(https://github.com/user-attachments/files/1/a.json) https://evil.example/b.json"
FOREIGN = "https://evil.example/files/1/a.json $(touch hacked) `touch hacked`"


@pytest.mark.parametrize(
    ("body", "fetched", "result"), [(ATTACHED, 1, "success"), (FOREIGN, 0, "failure")]
)
def test_what_is_attached_to_an_issue_is_fetched_from_there_alone_and_checked(
    body: str, fetched: int, result: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "curl").write_text(CURL.replace("$GIVEN", str(write_results_file(tmp_path))))
    (tools / "curl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    run = Runner.read("contributed.yml", tmp_path)
    run.event, run.issue = "issues", {"title": "[records] mine", "body": body, "number": "1"}
    assert run.run("check") == result
    noted = tmp_path / "workspace-0" / "asked"
    assert len(noted.read_text().split() if noted.exists() else ()) == fetched
    assert list(tmp_path.rglob("hacked")) == []
    assert ("Taken" in run.summary) == bool(fetched)


def write_results_file(folder: Path) -> Path:
    """Write a file as somebody may send it; its experiment is one of ours."""
    machine = make_machine()
    machine = replace(machine, id=make_machine_id(machine))
    record = make_record(make_variant(experiment="matrix", machine=machine.id))
    results = Results(machine=machine, interpreter=make_interpreter(), records=(record,))
    path = folder / "sent.json"
    write_results(path, results)
    return path
