"""Context: which page of which language is being rendered, and where evidence comes from.

MkDocs loads a hooks file as a module of its own; what hooks and fences share lives here. What depends on
records, declarations and code alone is kept under their digest: an experiment is judged, and a block
made, only where something that it goes by has changed.
"""

import logging
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from poolwise.declaration import MalformedDeclaration
from poolwise.machine import Machine
from poolwise.progress import report
from poolwise.record import Record
from poolwise.store import RecordsError
from scripts.site.declare.texts import read_catalogue
from scripts.site.judge.claims import CheckedClaim, check_machines
from scripts.site.judge.evidence import Evidence
from scripts.site.kept import NotKept, digest, keep_file
from scripts.site.page.sources import find_page, read_source
from scripts.site.paths import CACHE, DOCS, EXAMPLES, MINE, REQUIREMENTS, ROOT, TEMPLATES, WORDS
from scripts.site.render.html import slug
from scripts.site.render.svg import read_colours
from scripts.site.render.words import load_words
from scripts.site.settings import Settings, read_settings
from scripts.site.study.contributed import Contribution, open_contributed
from scripts.site.study.pipeline import Pipeline
from scripts.site.study.signs import Lasting, note_signs, read_signs
from scripts.site.study.snippets import Outcome, collect_printed, list_pythons
from scripts.site.study.timeline import Timeline, list_timelines, read_timeline

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

T = TypeVar("T")
# What it warns of ends a strict build.
LOGGER = logging.getLogger("mkdocs.plugins.evidence")
# Stands for whatever is no experiment's own.
ALL = "*"
# Their versions may show in what is drawn.
LIBRARIES = ("matplotlib", "numpy", "babel", "jinja2", "markupsafe", "msgspec", "pygments")


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
        """Return the way to a page of the same language; empty to the page itself."""
        return "" if url == self.url else f"{self.root}{self.language}/{url}"


class Judged(NamedTuple):
    """What the records of an experiment came to: claims, the machines that have any, failed programs."""

    claims: tuple[CheckedClaim, ...]
    machines: dict[str, Machine]
    failed: tuple[Record, ...]


Stamps = frozenset[tuple[Path, int, int, int]]

_place = ContextVar("place", default=Place())  # noqa: B039 - it is frozen
_state: tuple[Settings | None, Stamps] = (None, frozenset())
_kept: "list[_lru_cache_wrapper[object]]" = []
# The experiments whose files have changed since pages were last written.
_changed: set[str] = set()
# The experiments that each page has shown, by its place.
_shown: dict[tuple[str, str], set[str]] = {}
_complaints: list[str] = []
_is_preview = False


def begin_preview() -> None:
    """Note that pages are looked at, not built: what snippets print goes into no record."""
    global _is_preview  # noqa: PLW0603 - of the builds of this process
    _is_preview = True


def here() -> Place:
    """Return where the fence stands that is running."""
    return _place.get()


def enter(place: Place) -> None:
    """Say where the fences stand that run from now on: MkDocs makes one page after another."""
    _place.set(place)


def keep(function: Callable[..., T]) -> "_lru_cache_wrapper[T]":
    """Keep results as ``cache`` does, until something that the pages go by has changed."""
    kept = cache(function)
    _kept.append(kept)
    return kept


def complain(message: str, *arguments: object) -> None:
    """Warn, which ends a strict build, and let no block be kept that does."""
    _complaints.append(message)
    LOGGER.warning(message, *arguments)


def tell(message: str) -> None:
    """Say something in the log of each build that comes to it, and let no block be kept that does."""
    _complaints.append(message)
    report(message)


def page_url(source: str) -> str:
    """Return the address of a page's source below its language: ``theory/gil/`` of ``theory/gil.md``."""
    name = source.rpartition(".")[0]
    return f"{name}/".removesuffix("index/")


def locate(page: str, anchor: str) -> str:
    """Return the address, below the language, of the page where an anchor of ``page`` stands now."""
    return page_url(find_page(DOCS / here().language, page, anchor) or page)


def split_program(name: str) -> tuple[str, str]:
    """Split a name like ``matrix/01-io-sequential``, with or without ``.py``, into experiment and program."""
    experiment, _, program = name.removesuffix(".py").partition("/")
    return experiment, program


@keep
def open_pipeline() -> Pipeline:
    """Open the pipeline of this build, by the settings in the environment."""
    return Pipeline(read_settings(os.environ))


# What is judged and shown, and by what it is kept.


@keep
def digest_sources() -> dict[str, str]:
    """Return the digest of each experiment's files, and under ``ALL`` of all else that judging goes by.

    What is missing is measured first, as records are among it.
    """
    pipeline = open_pipeline()
    pipeline.measure()
    setup = (pipeline.settings, pipeline.profile, pipeline.machine, pipeline.interpreters)
    parts = {ALL: [repr(setup), repr(pipeline.machines), sys.version, *map(version, LIBRARIES)]}
    code = [path for path in (ROOT / "scripts").rglob("*.*") if path.suffix in (".py", ".toml")]
    for path in sorted({*code, *_list_read(pipeline.settings)}):
        if path.is_file():
            part = f"{path} {digest(path.read_bytes())}"
            parts.setdefault(_find_owner(path), []).append(part)
    return {name: digest("\n".join(digests).encode()) for name, digests in parts.items()}


def _list_read(settings: Settings) -> list[Path]:
    """List the files that pages go by, but for their own and what is written with them."""
    paths = [*EXAMPLES.rglob("*.*"), *settings.results.glob("*/**/*.json"), MINE, REQUIREMENTS]
    paths += [settings.results / "faults.json", *WORDS.glob("*.toml"), *TEMPLATES.glob("*.*")]
    paths += [*ROOT.glob("mkdocs*.yml"), *DOCS.glob("*.toml"), *DOCS.glob("scenes/*.toml")]
    paths += (DOCS / "theme").rglob("*")
    return [path for path in paths if path.suffix != ".pyc"]


def _find_owner(path: Path) -> str:
    """Find the experiment whose folder a file is in."""
    if path.is_relative_to(EXAMPLES):
        name = path.relative_to(EXAMPLES).parts[0]
        if (EXAMPLES / name / "experiment.toml").is_file():
            return name
    return ALL


def _digest(names: Iterable[str]) -> str:
    """Digest all that experiments are judged by; ``ALL`` are all."""
    digests = digest_sources()
    chosen = digests if ALL in names else {ALL, *names}
    return " ".join(digests.get(name, "") for name in sorted(chosen))


@keep
def judge(name: str) -> Judged:
    """Judge an experiment on every machine, unless it was judged before from the same files."""

    def make() -> bytes:
        evidences, pipeline = gather_machines(name), open_pipeline()
        declared, shown = pipeline.declared.claims.get(name, ()), evidences[0]
        claims = tuple(check_machines(name, declared, evidences))
        records = [judgement.record for judgement in shown.judgements]
        judged = Judged(
            claims=claims,
            machines={evidence.machine.id: evidence.machine for evidence in reversed(evidences)},
            failed=tuple(record for record in records if record.status in ("failed", "timeout")),
        )
        content = pickle.dumps(judged)
        if pipeline.complaints:  # of records that were left out, which every build has to tell
            raise NotKept(content)
        return content

    judged: Judged = pickle.loads(keep_file("judged", (name, _digest([name])), make))  # noqa: S301
    return judged


def gather(name: str) -> Evidence:
    """Return the evidence of an experiment on the machine that is shown."""
    return gather_machines(name)[0]


def gather_machines(name: str) -> tuple[Evidence, ...]:
    """Return the evidence of an experiment on every machine that has some, judged once in a process."""
    return _gather(name, _digest([name]))


@lru_cache(maxsize=100)
def _gather(name: str, sources: str) -> tuple[Evidence, ...]:
    del sources  # only tells one state of its files from the next
    return open_pipeline().gather_machines(name)


@keep
def list_machines() -> dict[str, list[Evidence]]:
    """List the evidence of every experiment on each machine, by its id; the shown one comes first."""
    machines: dict[str, list[Evidence]] = {}
    for name in open_pipeline().experiments:
        for evidence in gather_machines(name):
            machines.setdefault(evidence.machine.id, []).append(evidence)
    first = open_pipeline().machine.id
    return {id_: machines[id_] for id_ in sorted(machines, key=lambda id_: (id_ != first, id_))}


@keep
def list_contributed() -> list[Contribution]:
    """List what strangers sent; what cannot be read or true is told and left out."""
    pipeline = open_pipeline()
    return open_contributed(pipeline.settings.results, pipeline.experiments, tell)


@keep
def check_all() -> dict[str, CheckedClaim]:
    """Return every claim of every experiment with its checks, by id."""
    names = open_pipeline().declared.claims
    claims = chain.from_iterable(judge(name).claims for name in names)
    return {checked.claim.id: checked for checked in claims}


def find_claim(id_: str) -> CheckedClaim:
    """Find a claim by its id.

    Raises:
        MalformedDeclaration: there is none; says where on the page it is named, and those named alike.
    """
    if checked := check_all().get(id_):
        return checked
    alike = " or ".join(map(repr, get_close_matches(id_, check_all()))) or "another"
    fault = f"no such claim {id_!r}; is it {alike}?"
    for path in sorted((DOCS / here().language).rglob("*.md")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, start=1):
            if f'"{id_}"' in line:
                raise MalformedDeclaration(f"{path}:{number}: {fault}")
    raise MalformedDeclaration(fault)


@keep
def list_signs() -> dict[str, Lasting]:
    """List what each claim came to and since when, by its id, as this build leaves it."""
    pipeline = open_pipeline()
    machines: dict[str, Machine] = {}
    for name in pipeline.experiments:
        machines |= judge(name).machines
    known = read_signs(pipeline.settings.results).get(name_shown(), {})
    machines |= pipeline.machines
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
    python, kept = pipeline.interpreters[0], None
    recorded = settings.goes_on or settings.profile == "smoke"
    if _is_preview:  # whoever tries a change commits no run of another Python by it
        recorded, kept = True, CACHE
    return collect_printed(settings.results, python, recorded=recorded, kept=kept)


@keep
def list_watched() -> dict[tuple[str, str], Timeline]:
    """List the timelines shown, by experiment and program; one that is damaged is told.

    Of several machines it is that whose records of the program's family are shown.
    """
    recorded: dict[tuple[str, str], list[Timeline]] = {}
    folder = open_pipeline().settings.results
    for path in chain.from_iterable(
        list_timelines(folder, id_) for id_ in open_pipeline().machines
    ):
        try:
            timeline = read_timeline(path)
        except RecordsError as error:
            tell(f"a timeline is left out: {error}")
            continue
        if timeline:
            recorded.setdefault((timeline.experiment, timeline.program), []).append(timeline)
    return {key: _choose_watched(timelines) for key, timelines in recorded.items()}


def _choose_watched(timelines: Sequence[Timeline]) -> Timeline:
    first = timelines[0]
    if len(timelines) > 1:
        rows = gather(first.experiment).rows.where(family=first.family)
        machines = rows.values("machine")
        return next((timeline for timeline in timelines if timeline.machine in machines), first)
    return first


def locate_trace(timeline: Timeline) -> str:
    """Return the place of a timeline in the published data."""
    return f"traces/{timeline.experiment}-{slug(timeline.program)}.json"


# Blocks.


def keep_block(call: object, arguments: Iterable[object], make: Callable[[], str]) -> str:
    """Return the HTML of a block, made now or in an earlier build from the same files.

    Args:
        call: the function and all that it is given.
        arguments: of these what may name an experiment: its own name, a program's, a claim's, a page's.
        make: makes the block.
    """
    place, names = here(), _find_experiments(arguments)
    _shown.setdefault((place.language, place.source), set()).update(names)
    sources = (_digest(names), digest_shown(), _digest_places(place.language), place, call)

    def encode() -> bytes:
        count = len(_complaints)
        content = make().encode()
        if len(_complaints) > count:
            raise NotKept(content)
        return content

    return keep_file("blocks", sources, encode).decode()


def _find_experiments(arguments: Iterable[object]) -> set[str]:
    """Find the experiments whose declarations a block may go by; ``ALL`` where nothing names one."""
    declared = open_pipeline().declared
    names: set[str] = set()
    for argument in arguments:
        if isinstance(argument, str):
            ids = [argument, *declared.findings.get(argument, ())]
            names.update(check_all()[id_].experiment for id_ in ids if id_ in check_all())
            names.update({split_program(argument)[0]} & declared.experiments.keys())
    return names or {ALL}


@keep
def digest_shown() -> str:
    """Digest what blocks go by besides files: snippets and their Pythons, signs, experiments' words."""
    more = (list_printed(), sorted(list_pythons()), list_signs(), open_pipeline().declared.terms)
    return digest(repr(more).encode())


@cache
def _digest_places(language: str) -> str:
    """Digest on which page each heading of a language stands: links of blocks lead there."""
    docs, parts = DOCS / language, []
    for path in sorted(docs.rglob("*.md")):
        source = read_source(docs, path.relative_to(docs).as_posix())
        parts.append((path, source.advice, sorted(source.anchors)))
    return digest(repr(parts).encode())


def is_stale(language: str, source: str) -> bool:
    """Tell whether a page has shown anything that has changed since pages were last written."""
    names = _shown.get((language, source), set())
    return ALL in _changed or bool(_changed and (ALL in names or _changed & names))


def refresh() -> bool:
    """Look at what has changed since the last build of this process, and forget what went by it.

    Tells whether anything has.
    """
    global _state  # noqa: PLW0603 - of the builds of this process, as the place is
    settings, stamps = read_settings(os.environ), []
    for path in _list_read(settings):
        if path.is_file():
            stat = path.stat()
            stamps.append((path, stat.st_ino, stat.st_size, stat.st_mtime_ns))
    old_settings, old_stamps = _state
    _state = settings, frozenset(stamps)
    _digest_places.cache_clear()  # pages change between builds, too
    changed = {_find_owner(path) for path, *_ in _state[1] ^ old_stamps}
    if settings != old_settings:
        changed.add(ALL)
    _changed.update(changed)
    if changed:
        for kept in (*_kept, read_catalogue, load_words, read_colours):
            kept.cache_clear()
    return bool(changed)


def settle() -> None:
    """Take note that the pages are written as things are now."""
    _changed.clear()
