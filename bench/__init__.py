"""The bench, ``make bench``: how fast and how exact the engine is, against the budgets we set."""
