"""A claim on a page says what was claimed, what was measured, whether it holds, and where it is from."""

import json
import re
from collections.abc import Sequence
from html import unescape

import pytest
from msgspec import structs

from scripts.harness.declaration import Reason
from scripts.harness.record import Record, Trial
from scripts.harness.texts import list_languages
from scripts.site.declare.claims import Claim, Comparison, Mark, Relation, Where
from scripts.site.judge.judge import judge_records
from scripts.site.judge.verification import CheckedClaim, Elsewhere, check_claims
from scripts.site.page.weight import count_elements
from scripts.site.render.claim_list import (
    MOST,
    list_claims,
    show_bar,
    show_filters,
    show_findings,
    show_totals,
)
from scripts.site.render.claims import fill_sentence, show_claim
from scripts.site.render.published import InvalidData, format_formula, make_claims, validate
from scripts.site.render.words import load_words
from tests.factories import (
    TERMS,
    make_experiment,
    make_machine,
    make_record,
    make_side,
    make_values,
    make_variant,
    replace,
)

EN, RU = (load_words(language).add(TERMS) for language in ("en", "ru"))
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"
FASTER = Comparison(
    metric="wall_s", left=make_side(POOL), right=make_side(SEQUENTIAL), relation="less", margin=1.5
)
CLAIM = Claim(
    id="pool-is-faster",
    topic="pools",
    source="an-article",
    origin="04",
    text={
        "en": "A pool takes {left} instead of {right}, {ratio} as fast, on {cores}.",
        "ru": "Пул занимает {left} вместо {right}, {ratio}: {cores}, на {cores|cores}.",
    },
    all=[FASTER],
)


def make_records(walls: Sequence[float] = (0.5,) * 5) -> list[Record]:
    return [
        make_record(make_variant(program=program, cores=cores), values, readings={"made": [12] * 5})
        for cores in (1, 2)
        for program, values in ((SEQUENTIAL, [1.0] * 5), (POOL, walls))
    ]


def check(claim: Claim = CLAIM, records: Sequence[Record] | None = None) -> CheckedClaim:
    judged = judge_records(make_experiment(), make_records() if records is None else records)
    checks = check_claims([claim], judged, "Linux") if judged else ()
    return CheckedClaim(experiment="lab", claim=claim, checks=checks)


def change(claim: Claim = CLAIM, **changes: object) -> Claim:
    fields = {name: getattr(claim, name) for name in claim.__struct_fields__}
    return Claim(**fields | changes)


def read(markup: str) -> str:
    """The text as a reader sees it, spaces made plain."""
    return " ".join(re.sub(r"<[^>]+>", " ", markup).split())


def test_a_sentence_is_filled_in_the_way_of_its_language() -> None:
    found = check().checks[-1]
    assert read(fill_sentence(CLAIM, found, EN)) == (
        "A pool takes 0.50 s instead of 1.0 s , ×2.0 as fast, on 2 cores ."
    )
    assert read(fill_sentence(CLAIM, found, RU)) == (
        "Пул занимает 0,50 с вместо 1,0 с , ×2,0 : 2 ядра , на 2 ядрах ."
    )


@pytest.mark.parametrize(
    ("sentence", "cut"),
    [
        ("On {cores}, threads do well: {left} against {right}.", "On 2 cores , threads do well."),
        ("Threads do well: on {cores} they take {left}.", "Threads do well."),
        (
            "It counts: for waits: {left}. (So it is said.)",
            "It counts: for waits. (So it is said.)",
        ),
        ("Threads ({left} and {right}) do as well.", "Threads do as well."),
        ("The article says “✔”: it is {verdict}.", "The article says “✔”."),
        ("Threads save {ratio}.", "Threads save — ."),
    ],
)
def test_a_sentence_of_which_nothing_was_measured_says_nothing_of_it(
    sentence: str, cut: str
) -> None:
    claim = change(text={"en": sentence, "ru": ""})
    absent = [replace(record, status="unavailable", timed=()) for record in make_records()]
    assert read(fill_sentence(claim, check(claim, absent).checks[-1], EN)) == cut
    assert read(fill_sentence(claim, None, EN)) == cut.replace("2 cores", "—")


def test_where_nothing_was_measured_the_reason_is_told() -> None:
    absent = [
        replace(r, status="unavailable", reason=Reason("not-measured"), timed=())
        for r in make_records()
    ]
    shown = read(show_claim(check(records=absent), "data", EN))
    assert "not applicable" in shown
    assert f"{POOL}: there is no record of it" in shown


@pytest.mark.parametrize(
    ("metric", "written"),
    [
        ("cpu_s", "0.40 s of CPU"),
        ("cpu_share", "80%"),
        ("max_rss_bytes", "38 MiB"),
        ("inside_s", "0.40 s"),
        ("made", "12"),
    ],
)
def test_a_value_has_the_unit_of_its_metric(metric: str, written: str) -> None:
    comparison = Comparison(
        metric=metric, left=make_side(POOL), right=make_side(SEQUENTIAL), relation="less"
    )
    claim = change(all=[comparison], text={"en": "{left}", "ru": "{left}"})
    assert read(fill_sentence(claim, check(claim).checks[-1], EN)) == written


def test_several_trials_give_an_interval_and_a_single_value_gives_none() -> None:
    varied = read(show_claim(check(records=make_records((0.4, 0.5, 0.6, 0.5, 0.5))), "data", EN))
    assert "2 cores: ×2.0 faster (1.6–2.6)" in varied.replace(" :", ":")
    alike = read(show_claim(check(), "data", EN))
    assert "×2.0 faster" in alike
    assert "×2.0 faster (" not in alike
    against = Comparison(metric="wall_s", left=make_side(POOL), right=1.0, relation="less")
    value = read(show_claim(check(change(all=[against])), "data", EN))
    assert "2 cores: 0.50 s" in value
    assert "0.50 s (" not in value


def test_a_ratio_is_that_of_the_two_numbers_beside_it_whatever_the_cores_lacked() -> None:
    """The slower one computed on slow cores; the trials of the other are skewed."""
    records = [
        replace(
            record,
            timed=tuple(
                Trial(status="ok", values=make_values(wall_s, wall_s, slowed_share=lacking))
                for wall_s in record.walls_s
            ),
        )
        for record in make_records((0.5, 0.5, 0.5, 0.7, 0.9))
        for lacking in ([0.4] if record.variant.program == SEQUENTIAL else [0.0])
    ]
    block = read(show_claim(check(records=records), "data", EN))
    assert "2 cores: ×2.0 faster (" in block
    assert "takes 0.50 s instead of 1.0 s" in block


def test_the_link_to_a_claim_does_not_part_from_its_sentence() -> None:
    sentence, _, _ = show_claim(check(), "data", EN).partition('<a class="claim-anchor"')
    assert unescape(sentence).endswith(".\N{NO-BREAK SPACE}")


def test_a_unit_in_a_sentence_does_not_part_from_its_number() -> None:
    claim = change(text={"en": "At {left} ms, {right} ms. No {left} msec", "ru": "{left} мкс"})
    told = [
        re.sub("<[^>]+>", "", fill_sentence(claim, check(claim).checks[-1], one))
        for one in (EN, RU)
    ]
    assert [one.count("\N{NO-BREAK SPACE}мкс") for one in told] == [0, 1]
    assert told[0].count("\N{NO-BREAK SPACE}ms") == 2
    assert told[0].endswith(" msec")


def test_memory_is_written_as_memory() -> None:
    comparison = Comparison(
        metric="peak_pss_bytes", left=make_side(POOL), right=make_side(SEQUENTIAL), relation="less"
    )
    claim = change(all=[comparison], text={"en": "{left}", "ru": "{left}"})
    assert read(fill_sentence(claim, check(claim).checks[-1], RU)) == "48 МиБ"


@pytest.mark.parametrize("language", list_languages())
def test_a_block_tells_status_measurement_source_and_address(language: str) -> None:
    words = load_words(language).add(TERMS)
    block = show_claim(check(), "../../data", words)
    assert 'id="claim-pool-is-faster"' in block
    assert 'href="#claim-pool-is-faster"' in block
    assert 'href="../../data/claims/pool-is-faster.json"' in block
    assert words.term("claim_status", "confirmed") in block
    assert "✔" in block
    assert words.term("source", CLAIM.source) in block.lower()
    assert words.text("origin_row", row="04") in block
    assert "<details" in block
    assert "\n\n" not in block


def test_all_cores_come_first_and_one_core_has_a_line_of_its_own() -> None:
    records = [
        make_record(make_variant(program=program, cores=cores), values)
        for cores, pool in ((1, 1.0), (2, 0.5))
        for program, values in ((SEQUENTIAL, [1.0] * 5), (POOL, [pool] * 5))
    ]
    shown = read(show_claim(check(records=records), "data", EN))
    assert shown.startswith("✔ confirmed A pool takes 0.50 s")
    assert "1 core: ✖ refuted" in shown


def test_other_pythons_are_folded_and_counted_by_what_they_came_to() -> None:
    records = [
        make_record(make_variant(program=program, interpreter=f"cpython-{python}"), values)
        for python, pool in (("3.13.0", 0.5), ("3.9.2", 1.0), ("3.10.1", 1.0), ("3.14.0", 0.5))
        for program, values in ((SEQUENTIAL, [1.0] * 5), (POOL, [pool] * 5))
    ]
    shown = show_claim(check(records=records), "data", EN)
    own, _, others = shown.partition('<details class="claim-pythons"')
    assert "cpython-3.13.0" in own
    assert "3.9.2" not in own
    assert "On other Pythons: ✖ refuted 2, ✔ confirmed 1" in read(others)
    assert others.count("<li class=") == 3
    assert "claim-pythons" not in show_claim(check(), "data", EN)


def test_a_claim_said_of_one_core_shows_the_numbers_of_one_core_and_says_so() -> None:
    shown = read(show_claim(check(change(where=Where(cores="one"))), "data", EN))
    assert "on 1 core ." in shown
    assert "2 cores: – not applicable: said of work on one core" in shown


def test_a_claim_said_of_one_python_says_so_where_it_does_not_apply() -> None:
    shown = read(show_claim(check(change(where=Where(python="3.7"))), "data", EN))
    assert "not applicable: said of work on Python 3.7" in shown


def test_of_several_conditions_the_one_that_decided_leads() -> None:
    slower = Comparison(
        metric="wall_s",
        left=make_side(POOL),
        right=make_side(SEQUENTIAL),
        relation="more",
        margin=2.0,
    )
    found = check(change(all=[FASTER, slower]))
    shown = show_claim(found, "data", EN)
    details = read(shown.partition("<details")[2])
    assert details.index("✖ refuted") < details.index("✔ confirmed")
    assert found.checks[-1].deciding
    assert found.checks[-1].deciding.comparison == slower


@pytest.mark.parametrize(
    ("relation", "walls", "said"),
    [
        ("less", (0.5,) * 5, "×2.0 faster"),
        ("less", (2.0,) * 5, "×2.0 slower"),
        ("more", (2.0,) * 5, "×2.0 slower"),
        ("not less", (0.5,) * 5, "×2.0 faster"),
        ("not more", (2.0,) * 5, "×2.0 slower"),
        ("more", (1.0,) * 5, "×1.0"),
    ],
)
def test_how_many_times_is_never_below_one_and_says_which_way(
    relation: Relation, walls: tuple[float, ...], said: str
) -> None:
    comparison = structs.replace(FASTER, relation=relation)
    shown = show_claim(check(change(all=[comparison]), make_records(walls)), "data", EN)
    (line,) = re.findall(r"<li class=.*?2.cores.*?</li>", shown, flags=re.DOTALL)
    assert read(line).endswith(said)


@pytest.mark.parametrize(
    ("place", "en", "ru"),
    [
        ("{margin}", "1.5", "1,5"),
        ("{margin|times}", "1.5 times", "1,5 раза"),
        ("{margin|fold}", "1.5 times", "в 1,5 раза"),
        ("{margin|percent}", "50%", "50 %"),
        ("{margin2}", "25%", "25 %"),
        ("{left2}", "48 MiB", "48 МиБ"),
        ("{right2}", "48 MiB", "48 МиБ"),
        ("{ratio2}", "×1.0", "×1,0"),
    ],
)
def test_a_sentence_has_the_margin_and_what_any_comparison_measured(
    place: str, en: str, ru: str
) -> None:
    same = structs.replace(FASTER, metric="peak_pss_bytes", relation="equal", margin=1.25)
    claim = change(all=[FASTER, same], text={"en": place, "ru": place})
    found = check(claim).checks[-1]
    for words, said in ((EN, en), (RU, ru)):
        assert read(fill_sentence(claim, found, words)).replace("\N{NO-BREAK SPACE}", " ") == said


def test_a_margin_is_said_where_nothing_was_measured() -> None:
    claim = change(text={"en": "It is {margin|fold} as fast: {left}.", "ru": ""})
    assert read(fill_sentence(claim, None, EN)) == "It is 1.5 times as fast."


def test_the_number_that_a_claim_compares_with_is_said_where_nothing_was_measured() -> None:
    share = Comparison(metric="cpu_share", left=make_side(POOL), of_cores=0.9, relation="more")
    claim = change(
        all=[share], text={"en": "It keeps {right} of the cores busy: {left}.", "ru": ""}
    )
    assert read(fill_sentence(claim, None, EN)) == "It keeps 90% of the cores busy."


def test_no_mark_is_called_deserved_where_the_verdict_is_open() -> None:
    mark = Mark(program=make_side(POOL), verdicts=["recommended"])
    claim = change(all=[], mark=mark, text={"en": "It deserves it: {verdict}.", "ru": ""})
    records = make_records((1.0, 0.2, 1.9, 1.0, 0.5))
    found = check(claim, records)
    assert found.checks[-1].status == "undecided"
    shown = read(show_claim(found, "data", EN))
    assert "It deserves it" not in shown
    assert f"Whether {POOL} deserves its mark is not decided here" in shown


def test_a_mark_shows_our_verdict_and_those_that_would_confirm_it() -> None:
    mark = Mark(program=make_side(POOL), verdicts=["no gain", "worse"])
    claim = change(all=[], mark=mark, text={"en": "It is {verdict}.", "ru": "{verdict}"})
    shown = read(show_claim(check(claim), "data", EN))
    assert "✖ refuted It is recommended" in shown
    assert "“no gain” or “worse”" in shown


def test_source_text_cannot_break_out_of_the_page() -> None:
    claim = change(text={"en": "<script>{left}</script>", "ru": ""})
    assert "<script>" not in show_claim(check(claim), "data", EN)


def test_the_list_shows_every_claim_and_its_filters_know_every_value() -> None:
    other = change(id="another", topic="memory", source="us", origin="")
    both = [check(), check(other)]
    shown = list_claims(both, EN, {"lab": "../lab/"})
    assert re.findall(r'<li class="claim [^"]*" id="([^"]*)"', shown) == [
        "claim-pool-is-faster",
        "claim-another",
    ]
    assert 'href="../lab/#claim-another"' in shown
    shown = unescape(shown)
    form = show_filters(both, EN)
    for value in (
        "pools",
        "memory",
        "us",
        "an-article",
        "confirmed",
        "cpython-3.13.0",
    ):
        assert f'<option value="{value}">' in form
        assert f'"{value}"' in shown
    assert "hidden" in form
    assert 'aria-live="polite"' in form


def spread_out(found: CheckedClaim, count: int) -> CheckedClaim:
    """A claim as checked on so many Pythons, and refuted on as many machines."""
    checks = [
        replace(one, interpreter=f"cpython-3.{number}.0")
        for number in range(count)
        for one in found.checks
    ]
    away = Elsewhere(machine=make_machine(), check=replace(found.checks[0], status="refuted"))
    return replace(found, checks=tuple(checks), elsewhere=(away,) * count)


def test_a_row_is_as_short_for_many_pythons_and_machines_as_for_one() -> None:
    one, many = (list_claims([spread_out(check(), count)], EN, {"lab": ""}) for count in (1, 40))
    assert count_elements(many) == count_elements(one)
    few, most = (show_totals([spread_out(check(), count)], EN) for count in (MOST, 40))
    assert count_elements(most) == count_elements(few)


def test_a_row_tells_in_words_where_the_answer_is_another() -> None:
    found = spread_out(check(), 3)
    first, *others = found.checks
    checks = (
        replace(first, status="refuted"),
        others[0],
        *(replace(one, status="borderline") for one in others[1:]),
    )
    shown = read(list_claims([replace(found, checks=checks)], EN, {"lab": ""}))
    assert "1 core: refuted" in shown
    assert "On other machines: refuted 3" in shown
    assert "On other Pythons: borderline" in shown


def test_the_totals_count_each_status_on_each_core_count() -> None:
    shown = read(show_totals([check(), check(change(id="b", where=Where(cores="one")))], EN))
    assert "2 cores cpython-3.13.0, box 1 0 0 0 1" in shown
    assert "1 core cpython-3.13.0, box 2 0 0 0 0" in shown


def test_interpreters_are_listed_by_version() -> None:
    found = check()
    versions = ("cpython-3.10.13", "cpython-3.13.0", "cpython-3.6.15")
    checks = [replace(one, interpreter=name) for name in versions for one in found.checks]
    several = replace(found, checks=tuple(checks))
    ordered = ["cpython-3.6.15", "cpython-3.10.13", "cpython-3.13.0"]
    assert re.findall(r"<small>(.*?),", show_totals([several], EN)) == ordered * 2
    assert re.findall(r'value="(cpython[^"]*)"', show_filters([several], EN)) == ordered


def test_published_claims_keep_to_their_schema() -> None:
    told = {"en": "It is {verdict}.", "ru": "Он {verdict}."}
    mark = change(id="m", all=[], mark=Mark(program=make_side(POOL), verdicts=["worse"]), text=told)
    document = make_claims([check(), check(mark), check(change(id="o", where=Where(gil="off")))])
    validate(document, "claims")
    (first, *_) = json.loads(json.dumps(document))["claims"]
    shown = first["checks"][1]
    (compared,) = shown.pop("compared")
    assert compared["ratio"] == [2.0, 2.0, 2.0]
    assert compared["left"][0] / compared["right"][0] == 0.5
    sentence = shown.pop("sentence")
    assert sentence.keys() == first["text"].keys()
    assert "{" not in "".join(sentence.values())
    assert shown == {
        "machine": "box",
        "interpreter": "cpython-3.13.0",
        "cores": 2,
        "status": "confirmed",
        "value": 2.0,
        "interval": [2.0, 2.0],
        "sessions": [],
        "condition": f"wall_s({SEQUENTIAL}, family=io) / wall_s({POOL}, family=io) >= 1.5",
    }


def test_what_is_infinite_is_published_as_null() -> None:
    never = Comparison(metric="made", left=make_side(POOL), right=1, relation="less")
    records = [
        make_record(make_variant(program=POOL), [1.0] * 8, readings={"made": [0] * 8}),
        make_record(make_variant(program=SEQUENTIAL), [1.0] * 8),
    ]
    found = check(change(all=[never]), records)
    document = make_claims([found])
    validate(document, "claims")
    ((first,),) = (
        one["checks"] for one in json.loads(json.dumps(document, allow_nan=False))["claims"]
    )
    assert (first["status"], first["value"], first["interval"]) == ("confirmed", None, [None, None])


def test_a_published_condition_tells_what_a_side_differs_by_from_the_ordinary() -> None:
    side = make_side(POOL, tasks="above cores", workers=4, start_method="spawn")
    comparison = Comparison(metric="made", left=side, right=make_side(POOL), relation="not more")
    formula = (
        f"not made({POOL}, family=io, tasks=above cores, workers=4, start_method=spawn)"
        f" / made({POOL}, family=io) > 1"
    )
    assert format_formula(comparison) == formula
    comparison = structs.replace(comparison, right_python="ordinary")
    assert format_formula(comparison) == formula.replace("io) > 1", "io, python=ordinary) > 1")
    once = Comparison(metric="made", left=make_side(POOL), right=1.0, relation="less", every=True)
    assert format_formula(once) == f"1 / max(made({POOL}, family=io)) > 1"


def test_published_conditions_of_sweeps_and_shares_are_formulas_too() -> None:
    swept = Comparison(metric="wall_s", left=make_side(POOL), over="tasks", relation="falls")
    assert format_formula(swept) == (
        f"wall_s({POOL}, family=io, tasks=least) / wall_s({POOL}, family=io, tasks=most) > 1"
    )
    share = Comparison(
        metric="cpu_share", left=make_side(POOL), of_cores=0.9, relation="equal", margin=1.25
    )
    assert format_formula(share) == (f"0.8 <= cpu_share({POOL}, family=io) / (0.9 * cores) <= 1.25")


def test_wrong_claims_are_not_published() -> None:
    document = make_claims([check()])
    document["claims"][0]["checks"][0]["status"] = "perhaps"
    with pytest.raises(InvalidData, match=r"checks\[0\]\.status"):
        validate(document, "claims")


def test_the_bar_counts_each_claim_once_and_leaves_out_what_none_has() -> None:
    slow = change(id="b", all=[Comparison(**{**as_fields(FASTER), "relation": "more"})])
    shown = show_bar([check(), check(slow), check(change(id="c"))], EN)
    assert read(shown).split() == ["✔", "confirmed", "2", "✖", "refuted", "1"]
    assert re.findall(r'class="claim-(\w+)" style="flex-grow:(\d+)"', shown) == [
        ("confirmed", "2"),
        ("refuted", "1"),
    ]


def as_fields(comparison: Comparison) -> dict[str, object]:
    return {name: getattr(comparison, name) for name in comparison.__struct_fields__}


def test_a_finding_is_the_sentence_with_its_status_and_the_way_to_the_claim() -> None:
    shown = show_findings([check()], EN)
    assert read(shown).startswith("✔ confirmed A pool takes")
    assert f'href="#claim-{CLAIM.id}"' in shown
    assert 'id="' not in shown


def test_what_was_not_measured_yet_is_not_called_inapplicable() -> None:
    nothing = replace(check(), checks=())
    for shown in (
        show_findings([nothing], EN),
        show_claim(nothing, "data", EN).partition("<details")[0],
        list_claims([nothing], EN, {nothing.experiment: ""}),
        show_bar([nothing], EN),
    ):
        assert EN.term("claim_status", "not measured") in shown
        assert EN.term("claim_status", "not applicable") not in shown
