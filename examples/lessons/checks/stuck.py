"""Help for whoever is stuck: two hints, and a solution that is compared with others."""

import tomllib
from pathlib import Path
from textwrap import fill

from checks.remarks import say

FOLDER = Path(__file__).parent.parent


def read_help(name):
    """Return the hints of a program and what its solution is compared with, by language."""
    return tomllib.loads((FOLDER / "hints" / f"{name}.toml").read_text(encoding="utf-8"))


def format_text(text):
    """Return a text of a page in lines for a terminal, which shows no code as such."""
    return fill(text.replace("`", ""), 88, break_long_words=False, break_on_hyphens=False)


def show_hints(path):
    for number, hint in enumerate(read_help(path.stem)["hints"], 1):
        print(format_text(f"{path.name}, {number}: {say(**hint)}"))


def show_solution(path):
    print((FOLDER / "solutions" / path.name).read_text(encoding="utf-8"))
    print(format_text(say(**read_help(path.stem)["compared"])))
