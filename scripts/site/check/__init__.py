"""Checks of what linters do not know: languages, records, links. Each problem is one line."""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from poolwise.declaration import MalformedDeclaration
from poolwise.experiment import Experiment
from poolwise.output import defuse
from scripts.site.check.addresses import find_broken_links, find_lost, note_addresses
from scripts.site.check.choices import find_bad_advice
from scripts.site.check.claims import (
    find_objections,
    find_unequal,
    find_unread,
    find_unsaid,
    note_reviewed,
)
from scripts.site.check.languages import find_differences, note_siblings
from scripts.site.check.pages import Problem
from scripts.site.check.prose import find_bad_wording, find_long_sentences, find_misplaced
from scripts.site.check.questions import find_unanswered
from scripts.site.check.results import find_bad_results, find_outdated, find_released
from scripts.site.declare.declarations import load_declarations
from scripts.site.paths import DOCS, EXAMPLES, RESULTS, ROOT

REVIEWED = EXAMPLES / "reviewed.toml"


def run_checks(site: Path) -> int:
    """Print every problem, and what is only getting old; the exit status says if there are problems."""
    mark = "::warning::" if "GITHUB_ACTIONS" in os.environ else "Note: "
    for warning in find_released(RESULTS):
        print(mark + warning)
    problems = list(_find_problems(site))
    for problem in problems:
        print(defuse(str(problem)), file=sys.stderr)
    return 1 if problems else 0


def refresh_notes() -> None:
    """Note in every page that it agrees with the other languages, and list its new addresses."""
    note_siblings(DOCS)
    note_addresses(DOCS, load_declarations())


def note_claims() -> None:
    """Note that a person has read every claim as it is now, and print those that had changed."""
    for id_ in note_reviewed(REVIEWED, load_declarations()):
        print(f"Noted as read: {id_}")


def _find_problems(site: Path) -> Iterator[Problem | str]:
    yield from find_differences(DOCS)
    yield from find_bad_wording(ROOT)
    yield from find_long_sentences(DOCS)
    experiments: Mapping[str, Experiment] = {}
    try:
        declared = load_declarations()
        experiments = declared.experiments
        yield from find_misplaced(DOCS, declared)
        yield from find_unread(REVIEWED, declared)
        yield from find_unsaid(declared)
        yield from find_unequal(declared)
        yield from find_bad_advice(DOCS, declared)
        yield from find_unanswered(DOCS)
        yield from find_lost(DOCS, declared)
        yield from find_objections(RESULTS, declared)
        yield from find_outdated(RESULTS)
    except MalformedDeclaration as error:
        yield str(error)
    yield from find_bad_results(RESULTS, experiments)
    if (site / "index.html").exists():
        yield from find_broken_links(site)
