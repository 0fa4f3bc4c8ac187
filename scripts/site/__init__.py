"""Turn records into pages: declare, judge, study, render, page; beside them check and contributed."""
