"""Paths: where everything of this repository is; the one place that knows."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
SERVER = EXAMPLES / "server.py"
DOCS = ROOT / "docs"
CHOICES = DOCS / "choices.toml"
FINDINGS = DOCS / "findings.toml"
PICTURE = DOCS / "screenshot.png"
ADDRESSES = DOCS / "addresses.txt"
RESULTS = ROOT / "results"
REQUIREMENTS = ROOT / "requirements" / "examples.txt"
VENVS = ROOT / ".venvs"
CACHE = ROOT / ".cache"
WORDS = ROOT / "scripts" / "site" / "render" / "words"
TEMPLATES = ROOT / "scripts" / "site" / "render" / "templates"
