"""Summary: what a run of Actions tells, on its page and in its log, and that means only what we mean."""

import os
import re
from pathlib import Path


def add_to_summary(text: str) -> None:
    """Add Markdown to the summary of the run; not outside of Actions."""
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(text)


def escape(text: str) -> str:
    """Every sign that could mean something as a reference, which means itself alone."""
    return re.sub(r"[^A-Za-z0-9 ]", lambda sign: f"&#{ord(sign[0])};", " ".join(text.split()))
