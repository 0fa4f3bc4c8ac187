"""The example in the READMEs prints what they say it does."""

import re
import subprocess
import sys

import pytest

from scripts.harness.paths import ROOT

READMES = [path.name for path in sorted(ROOT.glob("README*.md"))]
SHOWN = re.compile(r"^\$ python3 (examples/\S+)\n((?:[^$`].*\n)+)", re.MULTILINE)


def hide_times(text: str) -> str:
    return re.sub(r"\d+\.\d+ s", "# s", text)


@pytest.mark.parametrize("readme", READMES)
def test_what_the_example_is_shown_to_print_it_prints_times_apart(readme: str) -> None:
    shown = SHOWN.findall((ROOT / readme).read_text(encoding="utf-8"))
    assert shown
    for program, printed in shown:
        done = subprocess.run(
            [sys.executable, program], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert hide_times(done.stdout) == hide_times(printed)
