"""All rows can be filtered, compared, sorted and drawn; a reader's file is checked and sent nowhere."""

import json
import random
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from making import make_build, replace
from scripts.site.declare.declarations import load_declarations
from scripts.site.judge.evidence import Evidence
from scripts.site.page.root import write_parts
from scripts.site.render.published import make_document
from scripts.site.render.words import load_words
from tests.browser.pages import (
    LANGUAGES,
    LARGEST_SHIFT,
    SCHEMES,
    SHIFT,
    TELEPHONE,
    Site,
    Visit,
    find_faults,
    switch_to,
)
from tests.site.golden import measure
from tests.site.render.markup import make_evidence

MATRIX = load_declarations().experiments["matrix"]
PYTHONS = (make_build("3.10.0"), make_build("3.11.0"), make_build("3.11.0", "t"))
VERDICTS = ("recommended", "costs more", "gains nothing", "disqualified")


def gather_crowd(machines: int, pythons: int, programs: int) -> list[Evidence]:
    """Make what so many machines gave, each with so many Pythons that ran so many programs."""
    interpreters = PYTHONS[:pythons]
    entries = [
        (family.name, program)
        for family in MATRIX.families
        for program in MATRIX.programs
        if family.name in program.families
    ][:programs]
    chance = random.Random(machines)
    crowd = []
    for machine in (f"made-up-{number}-4c" for number in range(machines)):
        records = []
        for python, (family, program) in product(interpreters, entries):
            cell = {"experiment": MATRIX.name, "machine": machine, "family": family, "cores": 4}
            cell |= {"start_method": "spawn" if program.processes else None, "workers": 4}
            wall_s = 0.3 + chance.lognormvariate(0, 1)
            records.append(measure(python, program.name, wall_s, tasks=program.tasks, **cell))
        evidence = make_evidence(records, interpreters, MATRIX, machine)
        judged = [replace(one, verdict=chance.choice(VERDICTS)) for one in evidence.judgements]
        crowd.append(replace(evidence, judgements=tuple(judged)))
    return crowd


EVIDENCE = gather_crowd(machines=3, pythons=3, programs=20)
OF_ONE = 3 * 20
EVERY = 3 * OF_ONE
BOX = "made-up-1-4c"
FIRST = sum(one.family == MATRIX.families[0].name for every in EVIDENCE for one in every.judgements)
ALL = "?family=*&cores=*"
"""Of every family on any number of cores; it begins with one, on all."""
SEQUENTIAL, POOL = "matrix/01-io-sequential", "matrix/04-io-thread_pool"
COMPARE = "select[name=compare]"
OFFERED = """select => Array.from(select.options, option => option.value)
  .filter(value => JSON.parse(value)[0])"""
"""The comparisons that are offered: what by, and the two sides."""
WORDS = {language: load_words(language).catalogue["explore"] for language in LANGUAGES}
NOTE_TEXTS = """() => {
  const own = CanvasRenderingContext2D.prototype, fill = own.fillText;
  window.drawn = {};
  own.fillText = function (text, x, ...more) {
    const half = this.measureText(text).width / 2;
    drawn[text] = [x - half, x + half, this.canvas.width];
    return fill.call(this, text, x, ...more);
  };
  document.body.dataset.mdColorScheme = "slate";  // draws anew
  return JSON.parse(document.getElementById("explore-words").textContent).measures.speedup[0];
}"""
"""Notes where texts are drawn from now on; gives what the horizontal axis is called."""
DROP = """text => {
  const files = new DataTransfer();
  files.items.add(new File([text], "mine.json"));
  const drop = new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true });
  document.querySelector("h1").dispatchEvent(drop);
}"""
Document = dict[str, Any]
Explore = Callable[..., Page]


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Made-up data of several machines, by the name of its file."""
    folder = tmp_path_factory.mktemp("parts") / "explore"
    write_parts(folder, [EVIDENCE])
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


@pytest.fixture
def explore(visit: Visit, site: Site, parts: dict[str, str]) -> Explore:
    """Opens the page with made-up data."""

    def opened(path: str = f"en/explore/{ALL}", **context: Any) -> Page:
        page = visit("404.html", **context)
        page.route(
            re.compile(r"/data/explore/"),
            lambda route: route.fulfill(
                body=parts[urlsplit(route.request.url).path.rpartition("/")[2]],
                content_type="application/json",
            ),
        )
        page.goto(site.url + path, wait_until="load")
        return page

    return opened


def find_status(page: Page) -> Locator:
    return page.locator(".explore-status")


def expect_rows(page: Page, shown: int, language: str = "en", every: int = EVERY) -> None:
    text = WORDS[language]["shown"].format(shown=shown, all=every)
    expect(find_status(page)).to_contain_text(text)


def tick(page: Page, dimension: str, *names: str) -> None:
    facet = page.locator(f"details[data-name={dimension}]")
    if page.locator(".explore-more[open]").count() == 0:
        page.locator(".explore-more > summary").click()
    if facet.get_attribute("open") is None:
        facet.locator("summary").click()
    for name in names:
        facet.locator(f"input[value='{name}']").check()


def expect_query(page: Page, **wanted: str) -> None:
    """Wait until the address asks for that, in every family, and for nothing else."""
    asked = {name: [value] for name, value in ([*parse_qsl(ALL[1:]), *wanted.items()])}
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query) == asked)


def read_column(page: Page, title: str) -> list[str]:
    texts = page.locator(".explore-rows thead th").all_inner_texts()
    place = [text.partition(" ")[0] for text in texts].index(title.partition(" ")[0]) + 1
    return page.locator(f".explore-rows tbody tr > :nth-child({place})").all_inner_texts()


def make_file() -> Document:
    """A results.json of one machine."""
    return json.loads(json.dumps(make_document(EVIDENCE[:1]), default=str))


def give(page: Page, content: str | Document, name: str = "mine.json") -> None:
    """Hand over a file; what was said of one before is forgotten."""
    page.locator(".explore-refused").evaluate("one => { one.textContent = '' }")
    text = content if isinstance(content, str) else json.dumps(content)
    file = {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    page.locator(".explore-file").set_input_files([file])


@pytest.mark.parametrize(("language", "scheme"), [*zip(LANGUAGES, SCHEMES, strict=True)])
def test_every_row_is_there_and_fits_a_phone(explore: Explore, language: str, scheme: str) -> None:
    page = explore(f"{language}/explore/{ALL}", viewport=TELEPHONE, color_scheme=scheme)
    expect_rows(page, EVERY, language)
    expect(page.locator(".explore-rows tbody tr")).to_have_count(25)
    expect(page.locator(".explore-canvas canvas")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= TELEPHONE["width"]
    assert find_faults(page) == []
    title = page.evaluate(NOTE_TEXTS)
    page.wait_for_function("title => drawn[title]", arg=title)
    left, right, width = page.evaluate("title => drawn[title]", title)
    assert 0 <= round(left) < round(right) <= width


def test_filters_narrow_and_names_of_one_add_up(explore: Explore) -> None:
    page = explore()
    tick(page, "machine", BOX)
    expect_rows(page, OF_ONE)
    tick(page, "program", SEQUENTIAL)
    expect_rows(page, 6)  # in two families, on three Pythons
    tick(page, "machine", "made-up-2-4c")
    expect_rows(page, 12)
    page.get_by_role("button", name=WORDS["en"]["reset"]).click()
    expect_rows(page, FIRST)
    expect(page).to_have_url(re.compile(r"/en/explore/$"))


def test_it_begins_with_one_family_and_its_text_stays_where_it_is(explore: Explore) -> None:
    page = explore("en/explore/", viewport=TELEPHONE)
    expect_rows(page, FIRST)
    expect(page.locator(".explore-canvas canvas")).to_be_visible()
    assert page.evaluate(SHIFT) < LARGEST_SHIFT


def test_only_comparisons_that_have_rows_are_offered_each_with_how_many(explore: Explore) -> None:
    page = explore(f"en/explore/?family=*&cores=*&machine={BOX}")
    expect_rows(page, OF_ONE)
    # The last of each dimension; cores are the same in all rows.
    offered = {json.loads(value)[0]: value for value in page.locator(COMPARE).evaluate(OFFERED)}
    assert {"gil", "interpreter", "machine", "program"} <= offered.keys()
    assert not {"cores", "experiment", "profile"} & offered.keys()
    for value in offered.values():
        page.locator(COMPARE).select_option(value)
        text = page.locator(f"{COMPARE} option:checked").inner_text()
        expect_rows(page, int(text.rpartition(" ")[2]))
        assert not text.endswith(" 0")
        expect(page.locator(".explore-canvas canvas")).to_be_visible()


def test_a_build_without_the_gil_is_compared_with_that_of_its_version_and_machine(
    explore: Explore,
) -> None:
    page = explore(f"en/explore/{ALL}&compare=gil&a=off&b=on")
    expect_rows(page, EVERY // 3)
    times_s = [one.median("inside_s") for one in EVIDENCE[0].judgements]
    plain, free = times_s[20:40], times_s[40:]
    page.locator("[data-key=sort-compared]").click()
    tick(page, "machine", EVIDENCE[0].machine.id)
    most = max(after / before for before, after in zip(plain, free, strict=True))
    expect_rows(page, OF_ONE // 3)
    ratio = read_column(page, "off")[0].removeprefix("×")
    assert float(ratio) == pytest.approx(most, rel=0.01)
    places = {"a": WORDS["en"]["gil_off"], "b": WORDS["en"]["gil_on"], "value": "\\S+"}
    sentence = WORDS["en"]["takes"].format(**places)
    expect(page.locator(".explore-chart figcaption")).to_have_text(re.compile(sentence))


def test_heads_sort_and_say_so(explore: Explore) -> None:
    page = explore()
    head = page.locator("th", has=page.locator("[data-key=sort-speedup]"))
    expect(head).to_have_attribute("aria-sort", "none")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(head.get_by_role("button")).to_be_focused()
    ratios = [float(text.splitlines()[0].lstrip("×")) for text in read_column(page, "times")]
    assert ratios == sorted(ratios, reverse=True)
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")


def test_seconds_are_shown_of_one_machine_alone(explore: Explore) -> None:
    page = explore(f"en/explore/{ALL}&x=inside_s")
    heads = page.locator(".explore-rows thead")
    expect(find_status(page)).to_contain_text(WORDS["en"]["one_machine"])
    expect(heads).not_to_contain_text("time of the work")
    tick(page, "machine", BOX)
    expect(heads).to_contain_text("time of the work")
    expect(find_status(page)).not_to_contain_text(WORDS["en"]["one_machine"])


def test_the_address_keeps_what_is_chosen_and_going_back_undoes_it(
    explore: Explore, site: Site
) -> None:
    page = explore()
    tick(page, "interpreter", "cpython-3.10.0")
    page.locator("select[name=y]").select_option("machine")
    expect_query(page, interpreter="cpython-3.10.0", y="machine")
    page.reload()
    expect_rows(page, EVERY // 3)
    expect(page.locator("select[name=y]")).to_have_value("machine")
    for _ in range(2):
        page.go_back()
    expect_rows(page, EVERY)
    expect_query(page)
    query = f"{ALL[1:]}&machine={BOX}&sort=program"
    page.goto(f"{site.url}en/explore/?{query}")
    expect_rows(page, OF_ONE)
    switch_to(page, "ru")
    expect(page).to_have_url(f"{site.url}ru/explore/?{query}")
    expect_rows(page, OF_ONE, "ru")


def test_an_address_that_nobody_offers_shows_everything(explore: Explore) -> None:
    strange = f"{ALL[1:]}&experiment=none&machine=<b>&compare=__proto__&a=<b>&sort=constructor&x=y&y=x&page=-1"
    page = explore(f"en/explore/?{strange}")
    expect_rows(page, EVERY)
    expect(page.locator("select[name=x]")).to_have_value("speedup")


def test_everything_can_be_done_by_keyboard(explore: Explore) -> None:
    page = explore()
    expect_rows(page, EVERY)
    page.locator(".explore-more > summary").press("Enter")
    page.locator("details[data-name=machine] summary").press("Enter")
    expect(page.locator("details[data-name=machine] input")).to_have_count(3)
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect_rows(page, OF_ONE)
    page.locator("[data-key=sort-program]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-key=sort-program]")).to_be_focused()
    expect(page).to_have_url(re.compile("[?&]sort=program"))
    assert page.locator(".explore-file").evaluate("one => one.tabIndex") == 0


def test_nothing_measured_is_a_sentence_and_a_file_is_shown_all_the_same(
    explore: Explore, parts: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_parts(tmp_path / "explore", [gather_crowd(machines=1, pythons=1, programs=0)])
    for path in (tmp_path / "explore").iterdir():
        monkeypatch.setitem(parts, path.name, path.read_text())
    page = explore()
    expect(find_status(page)).to_have_text(WORDS["en"]["nothing"])
    expect(page.locator(".explore-chart")).to_be_hidden()
    page.evaluate(DROP, json.dumps(make_file()))
    expect_rows(page, OF_ONE, every=OF_ONE)


def test_a_file_stands_beside_the_site_s_rows_and_is_sent_nowhere(explore: Explore) -> None:
    page, name = explore(), "<img src=x onerror=alert(1)>.json"
    expect_rows(page, EVERY)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    give(page, make_file(), name)
    expect_rows(page, OF_ONE, every=EVERY + OF_ONE)
    expect(page.locator(".explore-shown")).to_contain_text(name)
    expect_query(page)
    page.get_by_role("button", name=WORDS["en"]["own_close"]).click()
    expect_rows(page, EVERY)
    # The browser asks for the tab's picture when it likes, which may be as late as this.
    late = ("blob:", "/assets/favicon.svg")
    assert [url for url in sent if not url.startswith(late[0]) and not url.endswith(late[1])] == []


@pytest.mark.parametrize(("inside_s", "shown"), [(1.0, ["×4"] * 3), (5e-324, None)])
def test_a_file_is_related_to_its_own_baselines_and_not_to_next_to_nothing(
    explore: Explore, inside_s: float, shown: list[str] | None
) -> None:
    document = make_file()
    for row in document["rows"]:
        row["inside_s"] = [4.0 if SEQUENTIAL.endswith(row["program"]) else inside_s] * 3
    page = explore()
    expect_rows(page, EVERY)
    give(page, document)
    tick(page, "program", POOL)
    expect_rows(page, 3, every=EVERY + OF_ONE)
    assert shown is None or read_column(page, "times") == shown
    expect(page.locator(".explore-table")).not_to_contain_text("∞")


FILE = make_file()
STRANGE = {
    "a name that every object has": {"program": "__proto__", "gil": {"a": 1}, "__proto__": {}},
    "a script in a name": {"machine": "<script>window.hostile = 1</script>"},
}
REFUSED = {
    "no JSON": ("json", "{"),
    "as deep as can be": ("json", "[" * 1_000_000),
    "no rows": ("schema", json.dumps(FILE | {"rows": []})),
    "rows that only say that they are many": ("schema", json.dumps(FILE | {"rows": {"length": 9}})),
    "no row": ("row", json.dumps(FILE | {"rows": [None]})),
    "a text for a number": ("row", json.dumps(FILE).replace('"wall_s": [', '"wall_s": ["1", ', 1)),
    "infinity": ("row", json.dumps(FILE).replace('"wall_s": [', '"wall_s": [1e999, ', 1)),
}


def test_a_file_that_cannot_be_drawn_is_refused_and_a_hostile_one_is_text(explore: Explore) -> None:
    page = explore()
    expect_rows(page, EVERY)
    for key, text in REFUSED.values():
        give(page, text)
        sentence = WORDS["en"][key].replace("{row}", "1")
        expect(page.locator(".explore-refused")).to_contain_text(sentence)
        expect(page.locator(".explore-shown")).to_be_hidden()
        expect_rows(page, EVERY)
    give(page, "{", "<script>window.hostile = 1</script><img src=x onerror='window.hostile = 1'>")
    expect(page.locator(".explore-refused")).to_contain_text("<script>")
    rows = [FILE["rows"][0] | change for change in STRANGE.values()]
    give(page, FILE | {"rows": rows})
    expect_rows(page, len(rows), every=EVERY + len(rows))
    expect(page.locator(".explore-table")).to_contain_text("<script>")
    assert page.evaluate("window.hostile") is None
    assert page.locator(".explorer :is(script, img)").count() == 0
