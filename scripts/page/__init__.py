"""The page helper: what the fences of the pages call."""
