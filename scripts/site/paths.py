"""Paths: where everything of this repository is."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
SERVER = EXAMPLES / "server.py"
DOCS = ROOT / "docs"
CHOICES = DOCS / "choices.toml"
QUESTIONS = DOCS / "questions.toml"
FINDINGS = DOCS / "findings.toml"
ADDRESSES = DOCS / "addresses.txt"
RESULTS = ROOT / "results"
MINE = ROOT / "mine.json"
REQUIREMENTS = ROOT / "requirements" / "examples.txt"
CACHE = ROOT / ".cache"
WORDS = ROOT / "scripts" / "site" / "render" / "words"
TEMPLATES = ROOT / "scripts" / "site" / "render" / "templates"
