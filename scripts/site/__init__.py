"""Turn records into pages: claims, judge, study, render, page, check, publish."""
