"""A language: its configuration, and MkDocs building it."""

import os
import sys
from pathlib import Path

from mkdocs.__main__ import cli

from scripts.harness.paths import ROOT
from scripts.site.output import describe_refusal


def locate_config(language: str) -> Path:
    """MkDocs' configuration of a language."""
    own = ROOT / f"mkdocs.{language}.yml"
    return own if own.exists() else ROOT / "mkdocs.yml"


def build_language(language: str, site: Path, log: Path) -> None:
    """Build it as ``run_mkdocs`` does; into the file ``log`` goes whatever is said."""
    with log.open("wb") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    run_mkdocs(language, site)


def run_mkdocs(language: str, site: Path, *options: str) -> None:
    """Do what ``mkdocs build`` does.

    Raises:
        SystemExit: always, with its exit status.
    """
    os.chdir(ROOT)
    config = str(locate_config(language))
    try:
        cli(["build", "--config-file", config, "--site-dir", str(site), *options])
    except OSError as error:  # the disk is full, most likely
        sys.exit(f"The pages in {language} cannot be written: {describe_refusal(error)}")
