"""Tables, charts and words in every language. The only stage that knows Markdown and HTML."""
