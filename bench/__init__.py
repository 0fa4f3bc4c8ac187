"""The bench, ``make bench``: how fast and how exact the engine is, against the budgets we set."""

import sys
from pathlib import Path

sys.path.append(
    str(Path(__file__).parents[1] / "scripts/poolwise/tests")
)  # where records are made up
