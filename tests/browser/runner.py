"""A runner of workflows: it reads their YAML and executes the commands of their steps, as Actions does.

What a step uses of others (checkout, artifacts, caches, Pages) is stood in for by a few lines each.
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

from tests.copies import leave_pages, measure_no_work_as_two

ROOT = Path(__file__).parents[2]
PAGES = ("index.md", "machines.md", "theory/multitasking.md")
"""What is published here, besides the page of each machine."""
LIMIT_S = 600
SERVER = "https://github.example"
_EXPRESSIONS = Environment(undefined=ChainableUndefined)
"""What a context does not have is empty, and so is all that it would have."""
_PLACE = re.compile(r"\$\{\{(.+?)\}\}", re.DOTALL)
VARIABLES = {"HOME_PYTHON": "{}.{}".format(*sys.version_info)}
"""Those of the repository: what is measured here is measured by this Python."""
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
"""GitHub's tool, as far as Publish asks it: of artifacts, and how two commits stand to each other."""


Context = dict[str, Any]
"""What expressions may name: ``github``, ``inputs``, ``needs`` and so on."""


class StepFailed(Exception):
    """A step ended with an error; the message has what it said."""


@dataclass
class Runner:
    """One run of a workflow in folders of its own below ``folder``.

    ``inputs`` are those of the run, ``issue`` is what it is about, ``needs`` what jobs came to.
    ``ran`` notes the steps by job and name. ``files`` is the digest of whatever files are asked for.
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
        """A run of a workflow of this repository by hand."""
        text = (ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8")
        return cls(yaml.safe_load(text), folder, "workflow_dispatch", inputs)

    def push(self, number: str, files: str = "0") -> "Runner":
        """A later run of the same workflow in the same repository, by a push, which has no inputs."""
        return Runner(self.workflow, self.folder, "push", {}, number=number, files=files)

    def run(self, job: str, matrix: Mapping[str, Any] | None = None) -> str:
        """Run a job; gives its result, ``success``, ``failure`` or ``skipped``."""
        declared = self.workflow["jobs"][job]
        context = self._make_context(matrix or {})
        if not self._allows(declared, context, failed=False):
            result = "skipped"
        else:
            result = self._run_steps(job, declared, context)
        outputs = {
            name: self._fill(value, context) for name, value in declared.get("outputs", {}).items()
        }
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
        own = {"inputs": self.inputs, "matrix": matrix, "needs": self.needs, "files": self.files}
        return {"github": github, **own, "vars": VARIABLES, "steps": {}}

    def _run_steps(self, job: str, declared: Mapping[str, Any], context: Context) -> str:
        env = self._fill_all(self.workflow.get("env", {}), context)
        env |= self._fill_all(declared.get("env", {}), context)
        failed, steps = False, context["steps"]
        for number, step in enumerate(declared["steps"]):
            context["env"] = env
            if not self._allows(step, context, failed=failed):
                continue
            name = step.get("name") or step.get("uses", "").partition("@")[0]
            self.ran.append((job, name))
            outcome = "success"
            try:
                outputs = self._run_step(step, env, context)
            except StepFailed as error:
                outcome, outputs = "failure", {}
                print(f"{job}: {name}: {error}")
                failed = failed or not step.get("continue-on-error")
            found = {"outcome": outcome, "outputs": outputs}
            steps[step.get("id", f"step-{number}")] = found
        return "failure" if failed else "success"

    def _run_step(
        self, step: Mapping[str, Any], env: Mapping[str, str], context: Context
    ) -> dict[str, str]:
        workspace = Path(context["github"]["workspace"])
        if "uses" in step:
            given = self._fill_all(step.get("with", {}), context)
            action = step["uses"].partition("@")[0].removeprefix("actions/")
            return ACTIONS[action](self, workspace, given) or {}
        files = {name: workspace / f".{name}" for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in files.values():
            path.write_text("")
        tool = self.folder / "tools" / "gh"
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(GH)
        tool.chmod(0o755)
        own = {
            "PATH": f"{os.environ['PATH']}:{tool.parent}",
            "LANG": os.environ.get("LANG", "C"),
            "HOME": str(self.folder),
            "RUNNER_TEMP": str(workspace.parent / f"temporary-{workspace.name}"),
            "ARTIFACTS": str(self.folder / "artifacts"),
            "GITHUB_SERVER_URL": SERVER,
            "GITHUB_REPOSITORY": "owner/name",
            "GITHUB_REF_NAME": "main",
            "GITHUB_RUN_ID": self.number,
            "GITHUB_SHA": context["github"]["sha"],
            "GITHUB_ACTIONS": "true",
        }
        Path(own["RUNNER_TEMP"]).mkdir(exist_ok=True)
        own |= {name: str(path) for name, path in files.items()}
        own |= env | self._fill_all(step.get("env", {}), context)
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-ec", step["run"]],
            cwd=workspace,
            env=own,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=LIMIT_S,
            check=False,
        )
        self.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        if done.returncode:
            raise StepFailed(
                f"status {done.returncode}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
            )
        lines = files["GITHUB_OUTPUT"].read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    def _allows(self, one: Mapping[str, Any], context: Context, *, failed: bool) -> bool:
        """Whether the condition of a job or step is met; without one, if nothing has failed."""
        condition = str(one.get("if", "success()")).strip()
        whole = _PLACE.fullmatch(condition)
        condition = whole[1] if whole else condition
        if not re.search(r"\b(always|cancelled|success|failure)\(", condition):
            condition = f"success() && ({condition})"
        return bool(evaluate(condition, context, failed=failed))

    def _fill_all(self, texts: Mapping[str, Any], context: Context) -> dict[str, str]:
        return {name: self._fill(text, context) for name, text in texts.items()}

    def _fill(self, text: Any, context: Context) -> str:
        """A text with its expressions replaced by their values."""
        if isinstance(text, bool):
            text = str(text).lower()
        return _PLACE.sub(lambda place: _tell(evaluate(place[1], context)), str(text))


def _tell(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def evaluate(expression: str, context: Mapping[str, Any], *, failed: bool = False) -> Any:
    """The value of an expression of Actions, of the few forms that our workflows have."""
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
        "startsWith": lambda one, begin: str(one).startswith(begin),
    }
    read = _EXPRESSIONS.compile_expression("".join(pieces).strip(), undefined_to_none=False)
    return read(**functions, **context)


def _translate(code: str) -> str:
    """The signs of an expression that Python writes otherwise."""
    code = re.sub(r"!(?!=)", " not ", code).replace("&&", " and ").replace("||", " or ")
    return re.sub(r"\.(\w+(?:-\w+)+)", r"['\1']", code)


def check_out(runner: Runner, workspace: Path, given: Mapping[str, str]) -> None:
    """The working tree as it is now with the environment that is here, whatever was asked for."""
    target = workspace / given.get("path", ".")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in names.rstrip("\0").split("\0"):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    leave_pages(target, *PAGES)
    for home in (target / "docs").glob("*/index.md"):  # which would list answers that are not there
        home.write_text(home.read_text().replace("show.answers()", "''"))
    # Their experiment has no claim, so a home may lack those of all others.
    (target / "docs" / "choices.toml").write_text("choices = []\n")
    findings = target / "docs" / "findings.toml"
    findings.write_text(re.sub(r"= \[[^\]]*\]", "= []", findings.read_text()))
    measure_no_work_as_two(target)
    (target / ".venv").unlink(missing_ok=True)  # of an earlier one
    (target / ".venv").symlink_to(ROOT / ".venv")


def upload(runner: Runner, workspace: Path, given: Mapping[str, str]) -> None:
    """Keep what patterns find, a line each, below the folder that comes before the first wildcard."""
    target = runner.folder / "artifacts" / runner.number / given.get("name", "github-pages")
    for line in given["path"].splitlines():
        pattern = line.removeprefix("./").rstrip("/")
        fixed = pattern.partition("*")[0].rpartition("/")[0] if "*" in pattern else pattern
        base = workspace / fixed
        for path in sorted(workspace.glob(pattern)):
            if path.is_dir():
                shutil.copytree(path, target)
            else:
                place = target / (path.relative_to(base) if base.is_dir() else path.name)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, place)


def download(runner: Runner, workspace: Path, given: Mapping[str, str]) -> None:
    """Hand over what was kept: one artifact, or each that fits in a folder of its name."""
    number = given.get("run-id") or runner.number
    kept, target = runner.folder / "artifacts" / number, workspace / given["path"]
    if "name" in given:
        if not (kept / given["name"]).exists():
            raise StepFailed(f"no artifact {given['name']}")
        shutil.copytree(kept / given["name"], target)
        return
    target.mkdir(parents=True)
    for path in kept.glob(given["pattern"]):
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
