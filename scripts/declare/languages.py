"""Languages: those of the site; each is a catalogue of words."""

from scripts.paths import WORDS


def list_languages() -> tuple[str, ...]:
    """The languages that have a catalogue."""
    return tuple(sorted(path.stem for path in WORDS.glob("*.toml")))
