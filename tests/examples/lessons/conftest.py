import json
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.site.declare.lessons import LESSONS
from tests.examples.conftest import run

PROBE = """
import json, sys
from pathlib import Path
sys.path.insert(0, "")
from checks.probe import probe
remarks = probe(sys.argv[1], Path(sys.argv[2]))
print(json.dumps([(remark.kind, remark.text) for remark in remarks]))
"""


@pytest.fixture
def hear(tmp_path: Path) -> Callable[..., list[tuple[str, str]]]:
    """What the check of an exercise says of a program: ``hear("02-overlap", source, "ru")``."""

    def hear(name: str, source: str, language: str = "en") -> list[tuple[str, str]]:
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        (tmp_path / "probe.py").write_text(PROBE, encoding="utf-8")
        settings = {"LESSONS": language, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
        file = str(tmp_path / "probe.py")
        done = run(LESSONS, file, settings, arguments=[name, str(tmp_path)])
        assert done.returncode == 0, done.stderr
        return [(kind, text) for kind, text in json.loads(done.stdout)]

    return hear
