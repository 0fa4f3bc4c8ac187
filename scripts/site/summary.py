"""Summary: what a run of Actions tells, on its page and in its log, and that means only what we mean."""

import os
import re
from pathlib import Path

MOST_BYTES = 1 << 20
"""Of a step's summary: nothing is shown of a longer one."""


def add_to_summary(text: str) -> None:
    """Add Markdown to the summary of the run, the lines that are shown; not outside of Actions."""
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        shown = text.encode()
        with Path(summary).open("ab") as file:
            room = max(0, MOST_BYTES - file.tell())
            if len(shown) > room:
                shown = shown[: shown.rfind(b"\n", 0, room) + 1]
            file.write(shown)


def escape(text: str) -> str:
    """Every sign that could mean something as a reference, which means itself alone."""
    return re.sub(r"[^A-Za-z0-9 ]", lambda sign: f"&#{ord(sign[0])};", " ".join(text.split()))
