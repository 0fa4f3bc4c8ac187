"""What the records say: statistics, floors, verdicts."""
