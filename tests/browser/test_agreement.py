"""No page contradicts another: what is recommended where is the same wherever it is told.

Read from the built site as a reader has it: the verdicts of the Matrix's overview and of the page of
each program, the rows of Home and Choose, the answers among the Questions, the table of marks on
Claims and beside the article; and how every claim came out wherever it is shown.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, get_args

import pytest

from scripts.harness.metrics import METRICS
from scripts.site.declare.claims import Verdict
from scripts.site.declare.declarations import load_declarations
from scripts.site.render.html import program_anchor, slug
from scripts.site.render.words import load_words
from tests.browser.pages import LANGUAGES, Site
from tests.site.render.markup import read

TERMS = {
    language: {slug(one): load_words(language).term("verdict", one) for one in get_args(Verdict)}
    for language in LANGUAGES
}
DECLARED = load_declarations()
CHOICES = {choice.id: choice for choice in DECLARED.choices}

ARTICLE = "matrix/article"
PROGRAMS = [one.name for one in DECLARED.experiments["matrix"].programs]
SHEETS = {f"matrix/{program_anchor(name)}": name for name in PROGRAMS}

Verdicts = Mapping[int, Mapping[str, str]]
"""By the number of cores and the program."""


class Answer(NamedTuple):
    """What a page shows of a choice: the program it rests on, and by how many times that is better."""

    take: str
    recommended: str
    tasks: str
    gain: str


@pytest.fixture(scope="module", params=LANGUAGES)
def pages(site: Site, request: pytest.FixtureRequest) -> Mapping[str, str]:
    """The HTML of every page of a language by its name; of Home, ``index``."""
    names = site.list_pages(request.param)
    read_pages = {name.rstrip("/"): site.read(f"{request.param}/{name}") for name in names}
    return {**read_pages, "index": read_pages[""], "language": request.param}


def read_evidence(page: str) -> dict[str, Answer]:
    """What a page shows of each choice that it shows."""
    found = re.findall(
        r'#choice-([a-z-]+)"(?:(?!choice-evidence|#choice-).)*?<div class="choice-evidence" '
        r'data-take="([^"]*)" data-recommended="([^"]*)" data-tasks="(\d+)" data-gain="([^"]*)"',
        page,
        re.DOTALL,
    )
    return {id_: Answer(*told) for id_, *told in found}


def read_claims(page: str) -> dict[str, str]:
    """The status of each claim in the list of all."""
    found = re.findall(r'<li class="claim claim-([a-z-]+)" id="claim-([a-z0-9-]+)"', page)
    return {id_: status for status, id_ in found}


def read_shown(page: str) -> set[tuple[str, str]]:
    """Each claim that a page shows whole or opens with, and its status."""
    whole = re.findall(
        r'evidence-claim" id="claim-([a-z0-9-]+)"><div class="claim claim-([a-z-]+)"', page
    )
    opening = re.findall(
        r'<li><span class="claim-status claim-([a-z-]+)"(?:(?!</li>).)*?#claim-([a-z0-9-]+)"',
        page,
        re.DOTALL,
    )
    return {*whole, *((id_, status) for status, id_ in opening)}


def read_verdicts(page: str, cores: int) -> dict[str, str]:
    """The verdict of each program in the Matrix's overview on so many cores, in its first family."""
    rows = re.findall(
        rf'<tr data-family="[^"]*" data-cores="{cores}"(?: data-verdict="([^"]*)")?'
        r'[^>]*><th scope="row"><a href="[^"]*#p\w+">([^<]+)</a>(?:(?!</tr>).)*?'
        r'class="verdict verdict-([a-z-]+)"',
        page,
        re.DOTALL,
    )
    assert [one for one in rows if one[0] != one[2]] == []
    return {program: verdict for _, program, verdict in reversed(rows)}


def read_sheet(page: str) -> list[str]:
    """The verdicts on the page of a program in its first family, the most cores first."""
    table = page.partition('<table class="measured results">')[2].partition("</table>")[0]
    return re.findall(r'class="verdict verdict-([a-z-]+)"', table)


def read_marks(page: str) -> dict[str, list[str]]:
    """Our verdicts in the table of marks, by program, the most cores first."""
    (table,) = re.findall(r'<table class="measured marks">.*?</table>', page, re.DOTALL)
    rows = re.findall(r'<tr><th scope="row">.*?</tr>', table, re.DOTALL)
    return {
        re.findall(r">([^<>]+)</a>", row)[0]: re.findall(r'class="verdict verdict-([a-z-]+)"', row)
        for row in rows
    }


def read_picture(page: str) -> list[tuple[str, int, str]]:
    """Program, cores and what is said of it in its first family, of the dots on Home."""
    titles = re.findall(r"<title>([^<]+)</title>", page)
    found = (re.fullmatch(r"(\d\w+-\S+), (\d+)\s(.*)", title) for title in titles)
    told = {(one[1], int(one[2])): one[3] for one in reversed(list(found)) if one}
    return [(program, cores, text) for (program, cores), text in told.items()]


def find_contradictions(pages: Mapping[str, str]) -> Iterator[str]:
    """A line for each thing of which two pages tell different things.

    Args:
        pages: the HTML of each by its name, and their language.
    """
    most = count_cores(pages["matrix"])
    verdicts = {cores: read_verdicts(pages["matrix"], cores) for cores in {1, most}}
    yield from _compare_answers(pages)
    yield from _compare_choices(pages, verdicts)
    yield from _compare_marks(pages, verdicts)
    yield from _compare_sheets(pages, verdicts)
    yield from _compare_claims(pages)
    for program, cores, told in read_picture(pages["index"]):
        verdict = verdicts[cores].get(program, "")
        if not told.endswith(TERMS[pages["language"]][verdict]):
            yield f"picture on index: {program} on {cores} cores is {verdict}: {told}"


def _compare_answers(pages: Mapping[str, str]) -> Iterator[str]:
    choose = read_evidence(pages["choose"])
    for name in ("index", "questions"):
        for id_, told in read_evidence(pages[name]).items():
            if told != choose.get(id_):
                yield f"{name} and choose: {id_}: {told}, {choose.get(id_)}"


def _compare_choices(pages: Mapping[str, str], verdicts: Verdicts) -> Iterator[str]:
    for id_, (take, recommended, *_) in read_evidence(pages["choose"]).items():
        choice = CHOICES[id_]
        if not choice.take.startswith("matrix/") or choice.gil == ["off"]:
            continue
        judged = verdicts[1 if choice.cores == ["one"] else max(verdicts)]
        if (take in recommended.split()) != (judged.get(take) == "recommended"):
            yield f"choose and matrix: {id_}: {take} is {judged.get(take)}, not {recommended!r}"
        for program in recommended.split():
            if judged.get(program) != "recommended":
                yield f"choose and matrix: {id_}: {program} is {judged.get(program)}"


def _compare_marks(pages: Mapping[str, str], verdicts: Verdicts) -> Iterator[str]:
    for name in (ARTICLE, "claims"):
        for program, told in read_marks(pages[name]).items():
            for cores, verdict in zip(sorted(verdicts, reverse=True), told, strict=False):
                if verdicts[cores].get(program) != verdict:
                    yield f"marks on {name}: {program} on {cores} cores: {verdict}"


def _compare_sheets(pages: Mapping[str, str], verdicts: Verdicts) -> Iterator[str]:
    for name, program in SHEETS.items():
        told = read_sheet(pages[name])
        if told[:1] + told[-1:] != [verdicts[max(verdicts)][program], verdicts[1][program]]:
            yield f"{name}: {told}"


def _compare_claims(pages: Mapping[str, str]) -> Iterator[str]:
    """How a claim came out is told alike wherever it stands."""
    statuses = read_claims(pages["claims"])
    for name, page in pages.items():
        for id_, status in sorted(read_shown(page)):
            if statuses[id_] != status:
                yield f"{name} and claims: {id_} is {status}, {statuses[id_]}"


def count_cores(page: str) -> int:
    return max(map(int, re.findall(r'<tr data-family="[^"]*" data-cores="(\d+)"', page)))


def test_home_choose_questions_matrix_and_claims_recommend_the_same(
    pages: Mapping[str, str],
) -> None:
    assert list(find_contradictions(pages)) == []


def test_every_page_was_read(pages: Mapping[str, str]) -> None:
    shown = {name: set(read_evidence(page)) for name, page in pages.items()}
    lacking = [CHOICES[id_] for id_ in CHOICES.keys() - shown["choose"]]
    assert all(
        one.gil == ["off"] or (one.metric and METRICS[one.metric].traced) for one in lacking
    )  # of some experiments smoke has no memory rounds
    assert shown["index"] == {id_ for id_, choice in CHOICES.items() if choice.home}
    assert len(shown["questions"]) >= 4
    assert len(read_marks(pages[ARTICLE])) == len(read_marks(pages["claims"])) == 18
    assert len(read_verdicts(pages["matrix"], 1)) >= 18
    assert all(read_sheet(pages[name]) for name in SHEETS)
    assert len(read_picture(pages["index"])) >= 10
    claims = [one for several in DECLARED.claims.values() for one in several]
    assert set(read_claims(pages["claims"])) == {one.id for one in claims if not one.mark}
    told = {id_ for page in pages.values() for id_, _ in read_shown(page)}
    assert {one.id for one in claims if not one.mark} - told == set()


def test_the_advice_of_a_choice_is_in_the_same_words_wherever_it_stands(
    pages: Mapping[str, str],
) -> None:
    words = load_words(pages["language"])
    for name in ("index", "choose", "questions"):
        text = read(pages[name]).casefold()
        for id_ in read_evidence(pages[name]):
            assert read(words.choose(CHOICES[id_].advice)).casefold() in text


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("index", r'(data-take="12-[^"]*" data-recommended=)"[^"]*"', r'\1"09-cpu-threads"'),
        ("index", r"(<title>0\w-[^<,]+, [^<]*, )[^<]+(</title>)", r"\1other\2"),
        ("questions", r'data-take="15-[^"]*"', 'data-take="14-io+cpu-async+thread_pool"'),
        ("choose", r'(data-take="12-[^"]*" data-recommended=)"[^"]*"', r'\1"09-cpu-threads"'),
        ("claims", r"(?s)(marks.*?verdict verdict-)[a-z-]+", r"\1other"),
        ("native", r'(evidence-claim" id="[^"]*"><div class="claim claim-)[a-z-]+', r"\1other"),
        ("startup", r'(<li><span class="claim-status claim-)[a-z-]+', r"\1other"),
        (ARTICLE, r"(?s)(class=\"measured marks.*?verdict verdict-)[a-z-]+", r"\1other"),
        ("matrix/p12", r"(?s)(class=\"measured results.*?verdict verdict-)[a-z-]+", r"\1other"),
    ],
)
def test_a_page_that_says_otherwise_is_found(
    pages: Mapping[str, str], name: str, old: str, new: str
) -> None:
    changed = re.sub(old, new, pages[name], count=1)
    assert changed != pages[name]
    poisoned = {**pages, name: changed}
    found = list(find_contradictions(poisoned))
    assert any(name in line for line in found)
