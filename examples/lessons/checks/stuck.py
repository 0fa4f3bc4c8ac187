"""Help for whoever is stuck: two hints, and a solution that is compared with others."""

import tomllib
from pathlib import Path
from textwrap import fill

from checks.remarks import say

FOLDER = Path(__file__).parent.parent


def read_help(name):
    """Return the hints of a program and what its solution is compared with, by language."""
    return tomllib.loads((FOLDER / "hints" / f"{name}.toml").read_text(encoding="utf-8"))


def show_hints(path):
    for number, hint in enumerate(read_help(path.stem)["hints"], 1):
        print(fill(f"{path.name}, {number}: {say(**hint)}", 88))


def show_solution(path):
    print((FOLDER / "solutions" / path.name).read_text(encoding="utf-8"))
    print(fill(say(**read_help(path.stem)["compared"]), 88))
