"""A language: its configuration, and MkDocs building it."""

import os
from pathlib import Path

from mkdocs.__main__ import cli

from scripts.paths import ROOT


def locate_config(language: str) -> Path:
    """MkDocs' configuration of a language."""
    own = ROOT / f"mkdocs.{language}.yml"
    return own if own.exists() else ROOT / "mkdocs.yml"


def build_language(language: str, site: Path, log: Path) -> None:
    """Do what ``mkdocs build`` does, and end this process with its exit status.

    Args:
        language: what to build.
        site: the folder to build it into.
        log: the file into which goes whatever is said.
    """
    with log.open("wb") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    os.chdir(ROOT)
    cli(["build", "--config-file", str(locate_config(language)), "--site-dir", str(site)])
