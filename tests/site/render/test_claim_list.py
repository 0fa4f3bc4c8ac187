"""Lists, badges and the feed tell of each claim what a reader meets first of it."""

import re
from html import unescape
from xml.etree import ElementTree as ET

from msgspec import structs

from bench.weight import count_elements
from scripts.site.declare.claims import Where
from scripts.site.judge.claims import CheckedClaim
from scripts.site.render.claim_list import (
    MOST_PLACES,
    draw_badge,
    list_claims,
    make_feed,
    show_answers,
    show_bar,
    show_filters,
    show_findings,
    show_totals,
)
from tests.factories import NOW, replace, say
from tests.site.golden import WORDS, compare
from tests.site.render.markup import read
from tests.site.render.test_claims import (
    CLAIM,
    FASTER,
    change,
    check,
    make_records,
    put,
)

ATOM = "{http://www.w3.org/2005/Atom}"
HOME = "https://a.example/fork/en/"
OTHER = change(id="another", topic="memory", source="us", origin="")
SLOW = change(id="b", all=[structs.replace(FASTER, relation="more")])


def spread_out(found: CheckedClaim, count: int) -> CheckedClaim:
    """A claim as checked on so many Pythons, and refuted on as many machines."""
    names = [f"cpython-3.{number}.0" for number in range(count)]
    checks = [replace(one, interpreter=name) for name in names for one in found.checks]
    return replace(found, checks=tuple(checks), elsewhere=(put("far", "refuted"),) * count)


def test_a_list_has_a_row_a_claim_with_what_its_form_goes_by() -> None:
    both = [check(), check(OTHER)]
    rows = list_claims(both, WORDS, dict.fromkeys([one.claim.id for one in both], "../lab/"))
    form = show_filters(both, WORDS)
    compare("claim-list", form + rows)
    offered = re.findall(r'<option value="([^"]+)">', form)
    assert [one for one in offered if f'"{one}"' not in unescape(rows)] == [
        "refuted",
        "borderline",
        "open",
        "not applicable",
    ]


def test_a_row_is_as_short_for_many_pythons_and_machines_as_for_one() -> None:
    one, many = (
        list_claims([spread_out(check(), n)], WORDS, {"pool-is-faster": ""}) for n in (1, 40)
    )
    assert count_elements(many) == count_elements(one)
    few, most = (show_totals([spread_out(check(), n)], WORDS) for n in (MOST_PLACES, 40))
    assert count_elements(most) == count_elements(few)


def test_a_row_tells_in_words_where_the_answer_is_another() -> None:
    found = spread_out(check(), 3)
    first, second, *others = found.checks
    statuses = [replace(one, status="borderline") for one in others]
    checks = (replace(first, status="refuted"), second, *statuses)
    shown = read(list_claims([replace(found, checks=checks)], WORDS, {"pool-is-faster": ""}))
    assert "[cores_nominative 1]: [refuted]" in shown
    assert "[otherwise_mark 3 [of_machines 4]]" in shown
    assert "[pythons_others]: [borderline] 4" in shown


def test_a_finding_is_the_sentence_with_its_status_and_the_way_to_the_claim() -> None:
    shown = show_findings([check()], WORDS)
    assert read(shown).startswith("✔ A pool takes")
    assert f'href="#claim-{CLAIM.id}"' in shown
    assert 'id="' not in shown
    far = show_findings([check()], WORDS, {CLAIM.id: "../lab/"})
    assert f'href="../lab/#claim-{CLAIM.id}"' in far


def test_an_answer_has_its_code_and_the_claim_that_decided_it() -> None:
    rows = [("answers/fetch/", "Fetch", check()), ("answers/stop/", "Stop", None)]

    shown = show_answers(rows, WORDS)

    assert 'href="answers/fetch/#program"' in shown
    told = read(shown)
    assert "A pool takes" in told
    assert told.endswith("Stop [answer_code]")


def test_pages_open_with_what_is_decided_alone() -> None:
    noisy = check(records=make_records((0.2, 1.9, 1.0, 0.5, 0.7)))
    assert show_findings([noisy, replace(check(), checks=())], WORDS) == ""


def test_the_bar_counts_each_claim_once_and_leaves_out_what_none_has() -> None:
    shown = show_bar([check(), check(SLOW), check(change(id="c"))], WORDS)
    assert read(shown).split() == ["✔", "[confirmed]", "2", "✖", "[refuted]", "1"]
    assert re.findall(r'class="claim-(\w+)" style="flex-grow:(\d+)"', shown) == [
        ("confirmed", "2"),
        ("refuted", "1"),
    ]


def test_what_was_not_measured_yet_is_not_called_inapplicable() -> None:
    nothing = replace(check(), checks=())
    for shown in (
        list_claims([nothing], WORDS, {nothing.claim.id: ""}),
        show_bar([nothing], WORDS),
    ):
        assert "[not measured]" in shown
        assert "[not applicable]" not in shown


def test_the_totals_count_each_status_on_each_core_count_by_version() -> None:
    shown = read(show_totals([check(), check(change(id="b", where=Where(cores="one")))], WORDS))
    assert "[cores_nominative 2] cpython-3.13.0, box 1 0 0 0 1" in shown
    assert "[cores_nominative 1] cpython-3.13.0, box 2 0 0 0 0" in shown
    found = check()
    ordered = ["cpython-3.6.15", "cpython-3.10.13", "cpython-3.13.0"]
    checks = [replace(one, interpreter=name) for name in ordered[::-1] for one in found.checks]
    several = replace(found, checks=tuple(checks))
    assert re.findall(r"<small>(.*?),", show_totals([several], WORDS)) == ordered * 2
    assert re.findall(r'value="(cpython[^"]*)"', show_filters([several], WORDS)) == ordered


def test_a_badge_says_which_claim_and_what_became_of_it() -> None:
    root = ET.fromstring(draw_badge(check(), WORDS))
    texts = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [CLAIM.id, "✔ [confirmed]"]


def read_feed(*claims: CheckedClaim) -> ET.Element:
    return ET.fromstring(make_feed(claims, {"lab": NOW}, HOME, WORDS))


def list_ids(feed: ET.Element) -> list[str | None]:
    return [one.findtext(f"{ATOM}id") for one in feed.iter(f"{ATOM}entry")]


def test_a_feed_has_what_a_feed_must_have() -> None:
    compare("feed", make_feed([check()], {"lab": NOW}, HOME, WORDS))
    feed = read_feed(check())
    for element in (feed, *feed.iter(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert element.findtext(f"{ATOM}{name}")


def test_measured_anew_an_entry_stays_and_refuted_it_is_another() -> None:
    before, again = read_feed(check()), read_feed(check(records=make_records((0.4,) * 5)))
    refuted = read_feed(check(records=make_records((2.0,) * 5)))
    assert list_ids(before) == list_ids(again)
    assert list_ids(refuted) != list_ids(before)
    title = refuted.findtext(f"{ATOM}entry/{ATOM}title")
    assert title is not None
    assert title.startswith("[refuted]: A pool takes 2.0")


def test_what_is_not_decided_is_not_in_the_feed_and_text_of_a_claim_stays_text() -> None:
    assert list_ids(read_feed(check(records=()))) == []
    feed = read_feed(check(change(**say("a < b & {left}", ""))))
    assert "a < b & 0.50" in str(feed.findtext(f"{ATOM}entry/{ATOM}title"))
