"""The root step: what stands above both languages once they are built."""

import json
import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path
from urllib.parse import urljoin

import msgspec

from poolwise.experiment import Experiment
from poolwise.store import locate, make_schema, write_results
from scripts.site.declare.texts import list_languages
from scripts.site.judge.claims import CheckedClaim
from scripts.site.judge.evidence import Evidence
from scripts.site.kept import keep_folder
from scripts.site.page.context import (
    check_all,
    digest_shown,
    digest_sources,
    gather_machines,
    list_contributed,
    list_signs,
    list_watched,
    locate_trace,
    open_pipeline,
    page_url,
)
from scripts.site.page.search import index_pages, list_headings
from scripts.site.paths import SERVER
from scripts.site.render.claims import draw_badge
from scripts.site.render.html import render, slug
from scripts.site.render.policy import add_policy
from scripts.site.render.programs import bundle_lessons, make_bundle
from scripts.site.render.published import (
    format_csv,
    format_traces,
    make_claims,
    make_document,
    make_index,
    make_part,
)
from scripts.site.render.words import Words, load_words
from scripts.site.settings import claim_folder

# How the list of a language's pages links an answer.
ANSWER = "](answers/"


def finish_site(site: Path) -> None:
    """Write everything above the languages: choice of language, 404, sitemap, data, programs, index.

    What a former build left there goes: of an experiment that has gone, nothing is published. Without
    ``SITE_URL``, the public address of the root, there is no sitemap index, which needs one.
    """
    site = claim_folder(str(site))
    (site / ".nojekyll").touch()
    languages = [load_words(language) for language in list_languages()]
    built = [words for words in languages if (site / words.language / "index.html").is_file()]
    address = os.environ.get("SITE_URL", "").rstrip("/")
    write_pages(site, built or languages, f"{address}/" if address else "")
    sources = (sorted(digest_sources().items()), digest_shown())
    with ThreadPoolExecutor(1) as beside:  # the index is made by a process of its own
        indexing = beside.submit(index_pages, site)
        keep_folder(site / "data", sources, partial(_fill_data, languages=languages))
        experiments = tuple(open_pipeline().experiments.values())
        fill = partial(copy_programs, experiments=experiments, languages=languages)
        keep_folder(site / "examples", sources, fill)
        indexing.result()


def _fill_data(folder: Path, languages: Sequence[Words]) -> None:
    gathered = [gather_machines(name) for name in open_pipeline().experiments]
    write_data(folder, [every[0] for every in gathered])
    write_parts(folder / "explore", gathered)
    write_traces(folder)
    write_contributed(folder / "contributed")
    write_claims(folder, tuple(check_all().values()), languages)


def write_pages(site: Path, languages: Sequence[Words], site_url: str) -> None:
    """The language choice, the 404 page for all languages, robots.txt and the sitemap index."""
    base = "/" + site_url.split("/", 3)[3] if site_url.count("/") > 2 else "/"
    pages = {words.language: _list_titles(site / words.language) for words in languages}
    for name in ("index.html", "404.html"):
        page = add_policy(render(name, languages=languages, base=base, pages=pages))
        (site / name).write_text(page, encoding="utf-8")
    for words in languages:  # a host serves the one at the root, and theirs link from there
        (site / words.language / "404.html").unlink(missing_ok=True)
    parts = [f"# {languages[0].text('root_heading')}\n"]
    parts += [_lead_assistants(site, words) for words in languages]
    (site / "llms.txt").write_text("\n".join(parts), encoding="utf-8")
    robots = "User-agent: *\nAllow: /\n"
    (site / "sitemap.xml").unlink(missing_ok=True)
    if site_url:
        robots += f"Sitemap: {urljoin(site_url, 'sitemap.xml')}\n"
        index = render("sitemap.xml", languages=languages, site_url=site_url)
        (site / "sitemap.xml").write_text(index, encoding="utf-8")
    (site / "robots.txt").write_text(robots, encoding="utf-8")


def _lead_assistants(site: Path, words: Words) -> str:
    """Lead assistants to the list of a language's pages, and to each of its answers."""
    path = site / words.language / "llms.txt"
    pages = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    name = words.catalogue["name"]
    lines = [f"## {name}\n", f"- [{name}]({words.language}/llms.txt): {words.text('llms_about')}"]
    lines += [page.replace("](", f"]({words.language}/", 1) for page in pages if ANSWER in page]
    return "\n".join(lines) + "\n"


def _list_titles(folder: Path) -> dict[str, str]:
    """The title of every built page by its address below its language; of those that moved none."""
    titles_by_page = {}
    for file in sorted(folder.rglob("index.html")):
        if titles := list_headings(file.read_text(encoding="utf-8")):
            titles_by_page[page_url(file.relative_to(folder).as_posix())] = next(
                iter(titles.values())
            )
    return titles_by_page


def write_data(folder: Path, evidences: Sequence[Evidence]) -> None:
    """``results.json`` and ``.csv``, the rows of each experiment and family, and the form of records."""
    document = make_document(evidences)
    folder.mkdir(parents=True, exist_ok=True)
    _write_json(folder / "results.json", document)
    _write_json(folder / "records.schema.json", make_schema())
    texts = {"results": format_csv(document["rows"])}
    for evidence in evidences:
        name = evidence.experiment.name
        rows = [row for row in document["rows"] if row["experiment"] == name]
        texts[name] = format_csv(rows)
        for family in evidence.experiment.families:
            stem = f"{name}-{slug(family.name)}"
            texts[stem] = format_csv(row for row in rows if row["family"] == family.name)
            traces = format_traces(
                judgement for judgement in evidence.judgements if judgement.family == family.name
            )
            if traces:
                texts[f"{stem}-traces"] = traces
    for name, text in texts.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")


def write_traces(folder: Path) -> None:
    """Every timeline as it was recorded."""
    for timeline in list_watched().values():
        path = folder / locate_trace(timeline)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(msgspec.json.encode(timeline))


def write_contributed(folder: Path) -> None:
    """Every file that strangers sent, by machine and Python, as it was taken."""
    for sent in list_contributed():
        for results in sent.results:
            write_results(locate(folder, sent.machine.id, results.interpreter.id), results)


def write_claims(folder: Path, claims: Sequence[CheckedClaim], languages: Sequence[Words]) -> None:
    """``claims.json``, and of each claim, by its id, a file and a badge in each language."""
    document = make_claims(claims, list_signs())
    _write_json(folder / "claims.json", document)
    (folder / "claims").mkdir()
    for claim in document["claims"]:
        _write_json(folder / "claims" / f"{claim['id']}.json", claim)
    for checked, words in product(claims, languages):
        badge = folder / "claims" / f"{checked.claim.id}.{words.language}.svg"
        badge.write_text(draw_badge(checked, words), encoding="utf-8")


def write_parts(folder: Path, machines: Sequence[Sequence[Evidence]]) -> None:
    """What the Explore page loads: ``index.json``, and the rows of each experiment in columns.

    ``machines`` has of each experiment the evidence of all machines, at least one.
    """
    folder.mkdir(parents=True)
    documents = {every[0].experiment.name: make_part(every) for every in machines}
    documents["index"] = make_index(machines)
    for name, document in documents.items():
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


def _write_json(path: Path, document: object) -> None:
    """What every reader of JSON can read: no infinity, which Python would write."""
    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")


def copy_programs(
    folder: Path, experiments: Sequence[Experiment], languages: Sequence[Words]
) -> None:
    """The programs of each experiment, and of the lessons, in one archive; and each file by itself."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(SERVER, folder)
    (folder / "lessons.zip").write_bytes(bundle_lessons())
    for experiment in experiments:
        (folder / f"{experiment.name}.zip").write_bytes(make_bundle(experiment, languages))
        target = folder / experiment.name
        target.mkdir(exist_ok=True)
        for file in (*experiment.shared, *(program.file for program in experiment.programs)):
            shutil.copy(experiment.folder / file, target)
        if isinstance(experiment.server, str):
            shutil.copy(experiment.folder / experiment.server, target)
