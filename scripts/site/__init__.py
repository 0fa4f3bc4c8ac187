"""Turn records into pages: declare, judge, study, render, page; beside them check and contributed."""

from contextlib import chdir
from pathlib import Path

# The tool takes the folder that it is imported in for the project; ``mkdocs build -f`` may name another.
with chdir(Path(__file__).parents[2]):
    import poolwise.paths  # noqa: F401
