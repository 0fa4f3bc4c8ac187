"""Attempts at functions of a small module, each in its own process, as the tool makes them."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from poolwise import attempt
from poolwise.proof import Proof, describe_stage
from poolwise.words import Words

ITEMS = tuple(range(8))


@dataclass
class Folder:
    """A folder with a module ``work``, whose functions are called over ``items``."""

    path: Path
    items: Sequence[Any] = ITEMS
    python: str = sys.executable
    limit_s: float = 60.0

    def attempt(self, way: str, workers: int = 1, name: str = "handle", **more: Any) -> dict:
        """Return what came of an attempt."""
        items = self.path.parent / "items.json"
        items.write_text(json.dumps(self.items), encoding="utf-8")
        task = {
            "folder": str(self.path), "module": "work", "function": name, "items": str(items),
            "items_from": "", "is_spread": False, "way": way, "workers": workers, "count": None,
            "limit_s": 5.0, "is_idle": False, "stage": str(self.stage_path),
            "stops_after_s": self.limit_s, **more,
        }  # fmt: skip
        ran = subprocess.run(
            [self.python, "-P", attempt.__file__, json.dumps(task)],
            cwd=self.path,
            env={"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=self.limit_s,
        )
        return json.loads(ran.stdout.splitlines()[0])

    @property
    def stage_path(self) -> Path:
        return self.path.parent / "stage"

    def say_stage(self) -> str:
        """Say where the last attempt was when it ended, if that is worth a sentence."""
        message = describe_stage(self.stage_path, "handle")
        return Words().say(message) if message else ""

    def prove(self, way: str, workers: int = 1, name: str = "handle") -> Proof:
        answer = self.attempt(way, workers, name)
        assert "fault" not in answer, answer
        return Proof.read(answer["proof"])


def make_folder(path: Path, source: str, **more: Any) -> Folder:
    folder = path / "work"
    folder.mkdir()
    (folder / "work.py").write_text("import time\n" + source, encoding="utf-8")
    return Folder(folder, **more)
