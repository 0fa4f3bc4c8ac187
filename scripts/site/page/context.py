"""Context: which page of which language is being rendered, and where evidence comes from.

MkDocs loads a hooks file as a module of its own; what hooks and fences share lives here.
"""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from poolwise.progress import report
from poolwise.store import RecordsError
from scripts.site.declare.texts import read_catalogue
from scripts.site.judge.claims import CheckedClaim, check_machines
from scripts.site.judge.judge import Evidence
from scripts.site.page.sections import read_source
from scripts.site.paths import DOCS, EXAMPLES, REQUIREMENTS, ROOT, TEMPLATES, WORDS
from scripts.site.render.html import slug
from scripts.site.render.svg import read_colours
from scripts.site.render.words import load_words
from scripts.site.settings import read_settings
from scripts.site.study.contributed import Contribution, open_contributed
from scripts.site.study.pipeline import Pipeline
from scripts.site.study.signs import Lasting, note_signs, read_signs
from scripts.site.study.snippets import Outcome, collect_printed
from scripts.site.study.timeline import Timeline, list_timelines, read_timeline

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a fence stands: ``url`` is the page's address below its language."""

    language: str = "en"
    source: str = ""
    url: str = ""

    @property
    def root(self) -> str:
        """The way from the page up to the root of the site, where both languages meet."""
        return "../" * (self.url.removeprefix("./").count("/") + 1)

    def lead(self, url: str) -> str:
        """Give the way to a page of the same language; empty to the page itself."""
        return "" if url == self.url else f"{self.root}{self.language}/{url}"


T = TypeVar("T")
LOGGER = logging.getLogger("mkdocs.plugins.evidence")
"""What it warns of ends a strict build."""
_place = ContextVar("place", default=Place())  # noqa: B039 - it is frozen
here, enter = _place.get, _place.set
"""Where the fence that asks stands, which the first line of a written fence says."""
_state: tuple[object, ...] = ()
_kept: "list[_lru_cache_wrapper[object]]" = []


def keep(function: Callable[..., T]) -> "_lru_cache_wrapper[T]":
    """As ``cache``, until a build finds that whatever the pages go by is no longer what it was."""
    kept = cache(function)
    _kept.append(kept)
    return kept


def page_url(source: str) -> str:
    """Give the address of a page's source below its language: ``theory/gil/`` of ``theory/gil.md``."""
    name = source.rpartition(".")[0]
    return f"{name}/".removesuffix("index/")


def locate(page: str, anchor: str) -> str:
    """Give the address, below the language, of the page where an anchor of ``page`` stands now."""
    return page_url(find_page(page, anchor) or page)


def find_page(page: str, anchor: str) -> str:
    """Find the source where an anchor of the source ``page`` stands now; empty if none has it."""
    docs = DOCS / here().language
    return read_source(docs, page).locate(anchor) if (docs / page).is_file() else ""


def split_program(name: str) -> tuple[str, str]:
    """Give experiment and program of a name like ``matrix/01-io-sequential``, with or without ``.py``."""
    experiment, _, program = name.removesuffix(".py").partition("/")
    return experiment, program


@keep
def open_pipeline() -> Pipeline:
    """The pipeline of this build, by the settings in the environment."""
    return Pipeline(read_settings(os.environ))


def gather(experiment: str) -> Evidence:
    """The evidence of an experiment on the machine that is shown."""
    return gather_machines(experiment)[0]


@keep
def gather_machines(experiment: str) -> tuple[Evidence, ...]:
    """The evidence of an experiment on every machine that has some, once a build."""
    return open_pipeline().gather_machines(experiment)


@keep
def list_machines() -> dict[str, list[Evidence]]:
    """The evidence of every experiment on each machine, by its id; the shown one comes first."""
    found: dict[str, list[Evidence]] = {}
    for name in open_pipeline().experiments:
        for evidence in gather_machines(name):
            found.setdefault(evidence.machine.id, []).append(evidence)
    first = open_pipeline().machine.id
    return {id_: found[id_] for id_ in sorted(found, key=lambda id_: (id_ != first, id_))}


@keep
def list_contributed() -> list[Contribution]:
    """What strangers sent; what cannot be read or true is told and left out."""
    pipeline = open_pipeline()
    return open_contributed(pipeline.settings.results, pipeline.experiments, report)


@keep
def check_all() -> dict[str, CheckedClaim]:
    """Every claim of every experiment with its checks, by id."""
    return {
        checked.claim.id: checked
        for name, claims in open_pipeline().declared.claims.items()
        for checked in check_machines(name, claims, gather_machines(name))
    }


@keep
def list_signs() -> dict[str, Lasting]:
    """List what each claim came to and since when, by its id, as this build leaves it."""
    known = read_signs(open_pipeline().settings.results).get(name_shown(), {})
    machines = {id_: evidences[0].machine for id_, evidences in list_machines().items()}
    machines |= open_pipeline().machines
    return note_signs(known, check_all().values(), machines, datetime.now(UTC).date())


def name_shown() -> str:
    """Name what is shown, of which signs are kept: a machine in a profile, or a home."""
    pipeline = open_pipeline()
    return "home" if pipeline.settings.home else f"{pipeline.machine.id}/{pipeline.profile}"


@keep
def list_printed() -> dict[str, Outcome]:
    """List what snippets printed, by their names, run first where no record says so."""
    pipeline = open_pipeline()
    settings = pipeline.settings  # where numbers are of no use yet, nobody waits for snippets
    recorded = settings.goes_on or settings.profile == "smoke"
    return collect_printed(settings.results, pipeline.interpreters[0], recorded=recorded)


@keep
def list_watched() -> dict[tuple[str, str], Timeline]:
    """List the timelines of the machine shown, by experiment and program; one that is damaged is told."""
    found, folder = {}, open_pipeline().settings.results
    machines = reversed(open_pipeline().machines)  # the first has the last word
    for path in chain.from_iterable(list_timelines(folder, id_) for id_ in machines):
        try:
            one = read_timeline(path)
        except RecordsError as error:
            LOGGER.warning("A timeline is left out: %s", error)
            continue
        if one:
            found[one.experiment, one.program] = one
    return found


def locate_trace(found: Timeline) -> str:
    """Give the place of a timeline in the published data."""
    return f"traces/{found.experiment}-{slug(found.program)}.json"


def refresh() -> bool:
    """Look at everything again in a new build if any of it is not what it was; tell whether that is so."""
    global _state  # noqa: PLW0603 - of the builds of this process, as the place is
    settings = read_settings(os.environ)
    # What snippets printed is written by the pages themselves.
    read = [*EXAMPLES.rglob("*.*"), *settings.results.glob("*/**/*.json")]
    read += [*WORDS.glob("*.toml"), *TEMPLATES.glob("*.*"), REQUIREMENTS]
    read += [*ROOT.glob("mkdocs*.yml"), *DOCS.glob("*.toml"), *(DOCS / "theme").rglob("*")]
    state = (settings, *_stamp(one for one in read if one.suffix != ".pyc"))
    if state == _state:
        return False
    for kept in (*_kept, read_catalogue, load_words, read_colours):
        kept.cache_clear()
    _state = state
    return True


def _stamp(paths: Iterable[Path]) -> Iterator[tuple[Path, int, int, int]]:
    for path in sorted(paths):
        if path.is_file():
            found = path.stat()
            yield path, found.st_ino, found.st_size, found.st_mtime_ns
