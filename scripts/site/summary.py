"""Summary: what a run of Actions tells on its page."""

import os
from collections.abc import Iterable
from pathlib import Path
from textwrap import indent


def add_to_summary(heading: str, lines: Iterable[str]) -> None:
    """Add lines to the summary of the run; not outside of Actions.

    They are a block of code, in which nothing that strangers have written means anything.
    """
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        told = indent("\n".join(lines), " " * 4, predicate=lambda _: True)
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(f"\n## {heading}\n\n{told}\n")
