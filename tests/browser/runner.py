"""A runner of workflows: it reads their YAML and executes the commands of their steps, as Actions does.

What a step uses of others (checkout, artifacts, Pages) is stood in for by a few lines each.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import yaml
from jinja2 import ChainableUndefined, Environment

from scripts.site.paths import ROOT
from tests.copies import leave_pages, measure_no_work_as_two

# What is published here, besides the page of each machine.
PAGES = ("index.md", "machines.md", "theory/multitasking.md")
LIMIT_S = 600
SERVER = "https://github.example"
# The repository's: what is measured here is measured by this Python.
VARIABLES = {"HOME_PYTHON": "{}.{}".format(*sys.version_info)}
# GitHub's tool, as far as Publish asks it: of artifacts, and how two commits stand to each other.
GH = """\
#!/bin/bash
case "$*" in
  *artifacts?name=published*) ls -dt "$ARTIFACTS"/*/published 2>/dev/null | head -1 | xargs -r dirname | xargs -r basename ;;
  "run download"*) mkdir -p "$9" && cp "$ARTIFACTS/$3/published"/* "$9" ;;
  *runs/*/artifacts*) ls -d "$ARTIFACTS/$(cut -d/ -f6 <<<"$2")"/records-* 2>/dev/null | wc -l ;;
  *compare/*) cat "$ARTIFACTS/compared" 2>/dev/null || echo identical ;;
  *) echo "gh $*" >&2; exit 1 ;;
esac
"""
# What a context does not have is empty, and so is all that it would have.
_EXPRESSIONS = Environment(undefined=ChainableUndefined)
_PLACE = re.compile(r"\$\{\{(.+?)\}\}", re.DOTALL)
# What expressions may name: ``github``, ``inputs``, ``needs`` and so on.
Context = dict[str, Any]


class StepFailed(Exception):
    """A step ended with an error; the message has what it said."""


@dataclass
class Runner:
    """One run of a workflow in folders of its own below ``folder``.

    ``inputs`` are those of the run, ``issue`` what it is about, ``needs`` what jobs came to, ``ran`` the
    steps by job and name, ``files`` the digest of whatever files are asked for.
    """

    workflow: Mapping[Any, Any]
    folder: Path
    event: str
    inputs: Mapping[str, str]
    issue: Mapping[str, str] = field(default_factory=dict)
    needs: dict[str, Any] = field(default_factory=dict)
    ran: list[tuple[str, str]] = field(default_factory=list)
    summary: str = ""
    number: str = "77"
    files: str = "0"

    @classmethod
    def read(cls, name: str, folder: Path, **inputs: str) -> Self:
        """Begin a run of a workflow of this repository by hand."""
        text = (ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8")
        return cls(yaml.safe_load(text), folder, "workflow_dispatch", inputs)

    def push(self, number: str, files: str = "0") -> "Runner":
        """Begin a later run in the same repository, by a push, which has no inputs."""
        return Runner(self.workflow, self.folder, "push", {}, number=number, files=files)

    def run(self, job: str, matrix: Mapping[str, Any] | None = None) -> str:
        """Run a job; return its result, ``success``, ``failure`` or ``skipped``."""
        declared = self.workflow["jobs"][job]
        context = self._make_context(matrix or {})
        result = "skipped"
        if self._allows(declared, context, failed=False):
            result = self._run_steps(job, declared, context)
        outputs = self._fill_all(declared.get("outputs", {}), context)
        self.needs[job] = {"result": result, "outputs": outputs}
        return result

    def _make_context(self, matrix: Mapping[str, Any]) -> Context:
        workspace = self.folder / f"workspace-{len(list(self.folder.glob('workspace-*')))}"
        workspace.mkdir()
        github = {
            "workspace": str(workspace),
            "ref": "refs/heads/main",
            "event_name": self.event,
            "run_id": self.number,
            "sha": f"sha-{self.number}",
            "token": "none",
            "event": {"repository": {"private": False}, "issue": dict(self.issue)},
        }
        run = {"inputs": self.inputs, "matrix": matrix, "needs": self.needs, "files": self.files}
        return {"github": github, **run, "vars": VARIABLES, "steps": {}}

    def _run_steps(self, job: str, declared: Mapping[str, Any], context: Context) -> str:
        env = self._fill_all(self.workflow.get("env", {}), context)
        env |= self._fill_all(declared.get("env", {}), context)
        failed = False
        for number, step in enumerate(declared["steps"]):
            context["env"] = env
            if not self._allows(step, context, failed=failed):
                continue
            name = step.get("name") or step.get("uses", "").partition("@")[0]
            self.ran.append((job, name))
            outcome, outputs = "success", {}
            try:
                outputs = self._run_step(step, env, context)
            except StepFailed as error:
                outcome = "failure"
                print(f"{job}: {name}: {error}")
                failed = failed or not step.get("continue-on-error")
            id_ = step.get("id", f"step-{number}")
            context["steps"][id_] = {"outcome": outcome, "outputs": outputs}
        return "failure" if failed else "success"

    def _run_step(
        self, step: Mapping[str, Any], env: Mapping[str, str], context: Context
    ) -> dict[str, str]:
        workspace = Path(context["github"]["workspace"])
        if "uses" in step:
            inputs = self._fill_all(step.get("with", {}), context)
            action = step["uses"].partition("@")[0].removeprefix("actions/")
            return ACTIONS[action](self, workspace, inputs) or {}
        output, summary = workspace / ".output", workspace / ".summary"
        for path in (output, summary):
            path.write_text("")
        tool = self.folder / "tools" / "gh"
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(GH)
        tool.chmod(0o755)
        temporary = self.folder / f"temporary-{workspace.name}"
        temporary.mkdir(exist_ok=True)
        variables = {
            "PATH": f"{os.environ['PATH']}:{tool.parent}",
            "LANG": os.environ.get("LANG", "C"),
            "HOME": str(self.folder),
            "RUNNER_TEMP": str(temporary),
            "ARTIFACTS": str(self.folder / "artifacts"),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_SERVER_URL": SERVER,
            "GITHUB_REPOSITORY": "owner/name",
            "GITHUB_REF_NAME": "main",
            "GITHUB_RUN_ID": self.number,
            "GITHUB_SHA": context["github"]["sha"],
            "GITHUB_ACTIONS": "true",
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-ec", step["run"]],
            cwd=workspace,
            env=variables | env | self._fill_all(step.get("env", {}), context),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=LIMIT_S,
            check=False,
        )
        self.summary += summary.read_text()
        if done.returncode:
            said = f"{done.stdout[-3000:]}{done.stderr[-3000:]}"
            raise StepFailed(f"status {done.returncode}: {said}")
        return dict(line.split("=", 1) for line in output.read_text().splitlines())

    def _allows(self, declared: Mapping[str, Any], context: Context, *, failed: bool) -> bool:
        """Tell whether the condition of a job or step is met; without one, if nothing has failed."""
        condition = str(declared.get("if", "success()")).strip()
        if whole := _PLACE.fullmatch(condition):
            condition = whole[1]
        if not re.search(r"\b(always|cancelled|success|failure)\(", condition):
            condition = f"success() && ({condition})"
        return bool(evaluate(condition, context, failed=failed))

    def _fill_all(self, texts: Mapping[str, Any], context: Context) -> dict[str, str]:
        """Replace expressions in texts by their values."""

        def fill(place: re.Match[str]) -> str:
            return _write(evaluate(place[1], context))

        return {name: _PLACE.sub(fill, _write(text)) for name, text in texts.items()}


def _write(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def evaluate(expression: str, context: Mapping[str, Any], *, failed: bool = False) -> Any:
    """Return the value of an expression of Actions, of the few forms that our workflows have."""
    # Every second piece is a text in apostrophes, which stays as it is.
    pieces = re.split(r"('[^']*')", " ".join(expression.split()))
    pieces[::2] = map(_translate, pieces[::2])
    functions = {
        "always": lambda: True,
        "cancelled": lambda: False,
        "success": lambda: not failed,
        "failure": lambda: failed,
        "hashFiles": lambda *_: context.get("files", "0"),
        "fromJSON": json.loads,
        "toJSON": json.dumps,
        "startsWith": lambda text, begin: str(text).startswith(begin),
    }
    read = _EXPRESSIONS.compile_expression("".join(pieces).strip(), undefined_to_none=False)
    return read(**functions, **context)


def _translate(code: str) -> str:
    """Write the signs of an expression as Python does."""
    code = re.sub(r"!(?!=)", " not ", code).replace("&&", " and ").replace("||", " or ")
    return re.sub(r"\.(\w+(?:-\w+)+)", r"['\1']", code)


def check_out(runner: Runner, workspace: Path, inputs: Mapping[str, str]) -> None:
    """Copy the working tree as it is now with the environment that is here, whatever was asked for."""
    target = workspace / inputs.get("path", ".")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in names.rstrip("\0").split("\0"):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    leave_pages(target, *PAGES)
    for home in (target / "docs").glob("*/index.md"):  # which would show answers that are not there
        home.write_text("---\ntitle: Home\n---\n\n# Home {#top}\n")
    # Their experiment has no claim, so a home may lack those of all others.
    (target / "docs" / "choices.toml").write_text("choices = []\n")
    findings = target / "docs" / "findings.toml"
    findings.write_text(re.sub(r"= \[[^\]]*\]", "= []", findings.read_text()))
    measure_no_work_as_two(target)
    (target / ".venv").unlink(missing_ok=True)  # of an earlier one
    (target / ".venv").symlink_to(ROOT / ".venv")


def upload(runner: Runner, workspace: Path, inputs: Mapping[str, str]) -> None:
    """Keep what patterns find, a line each, below the folder that comes before the first wildcard."""
    target = runner.folder / "artifacts" / runner.number / inputs.get("name", "github-pages")
    for line in inputs["path"].splitlines():
        pattern = line.removeprefix("./").rstrip("/")
        fixed = pattern
        if "*" in pattern:
            fixed = pattern.partition("*")[0].rpartition("/")[0]
        base = workspace / fixed
        for path in sorted(workspace.glob(pattern)):
            if path.is_dir():
                shutil.copytree(path, target)
            else:
                place = target / (path.relative_to(base) if base.is_dir() else path.name)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, place)


def download(runner: Runner, workspace: Path, inputs: Mapping[str, str]) -> None:
    """Hand over what was kept: one artifact, or each that fits in a folder of its name."""
    number = inputs.get("run-id") or runner.number
    kept, target = runner.folder / "artifacts" / number, workspace / inputs["path"]
    if "name" in inputs:
        if not (kept / inputs["name"]).exists():
            raise StepFailed(f"no artifact {inputs['name']}")
        shutil.copytree(kept / inputs["name"], target)
        return
    target.mkdir(parents=True)
    for path in kept.glob(inputs["pattern"]):
        shutil.copytree(path, target / path.name)


Action = Callable[[Runner, Path, Mapping[str, str]], dict[str, str] | None]
ACTIONS: Mapping[str, Action] = {
    "checkout": check_out,
    "setup-python": lambda *_: {"python-version": "3.13.0"},
    "upload-artifact": upload,
    "upload-pages-artifact": upload,
    "download-artifact": download,
    "configure-pages": lambda *_: {"base_url": "https://owner.example/name"},
    "deploy-pages": lambda *_: {"page_url": "https://owner.example/name/"},
}
