"""Tables, charts and words in every language."""
