"""Statistics, verdicts and claims: what the records say."""
