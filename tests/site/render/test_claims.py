"""A claim says what was measured and whether it holds, alone and in lists; advice rests on it."""

import re
from collections.abc import Sequence
from html import unescape
from itertools import product
from typing import get_args

import pytest
from msgspec import structs

from making import make_machine, make_record, make_variant, replace
from poolwise.record import Record, Trial
from scripts.site.declare.claims import SWEPT, Claim, Relation, Size, Where
from scripts.site.judge.claims import Check, CheckedClaim, Elsewhere, check_evidence
from scripts.site.judge.decisions import ClaimStatus
from scripts.site.render.claims import (
    AXES,
    WIDEST_PX,
    Answer,
    Summary,
    draw_badge,
    fill_sentence,
    format_condition,
    list_claims,
    show_answers,
    show_bar,
    show_choices,
    show_claim,
    show_evidence,
    show_filters,
    show_findings,
)
from scripts.site.render.words import load_words
from tests.declared import DECLARED
from tests.factories import (
    OUTCOMES,
    PLAIN,
    POOL,
    TERMS,
    make_choice,
    make_claim,
    make_comparison,
    make_side,
    say,
)
from tests.site.golden import WORDS, compare
from tests.site.render.markup import list_pythons, make_evidence, read

EN, RU = (load_words(language).add(TERMS) for language in ("en", "ru"))
FASTER = make_comparison(margin=1.5)
CLAIM = make_claim(
    FASTER,
    id="pool-is-faster",
    topic="pools",
    source="an-article",
    origin="04",
    at={"tasks": "pages", "workers": "threads", "cores": "cores_nominative"},
    **say(
        "A pool takes {left} instead of {right}, on {cores}.",
        "Пул занимает {left} вместо {right}: {cores}, на {cores|cores}.",
    ),
)


def make_records(walls: Sequence[float] = (0.5,) * 5) -> list[Record]:
    return [
        make_record(make_variant(program=program, cores=cores), values, readings={"made": [12] * 5})
        for cores in (1, 2)
        for program, values in ((PLAIN, [1.0] * 5), (POOL, walls))
    ]


def check(claim: Claim = CLAIM, records: Sequence[Record] | None = None) -> CheckedClaim:
    found = make_records() if records is None else records
    checks = check_evidence([claim], make_evidence(found, list_pythons(found)))
    return CheckedClaim(experiment="lab", claim=claim, checks=checks)


def change(claim: Claim = CLAIM, **changes: object) -> Claim:
    return structs.replace(claim, **changes)


def put(machine: str, status: ClaimStatus, cores: int = 2) -> Elsewhere:
    described = make_machine(id=machine, cpu_model=f"Model {machine}")
    return Elsewhere(machine=described, checks=(make_check(status, cores),))


def make_check(status: ClaimStatus, cores: int = 2) -> Check:
    return replace(check().checks[-1], outcome=OUTCOMES[status], cores=cores)


def test_a_sentence_is_filled_in_the_way_of_its_language() -> None:
    found = check().checks[-1]
    assert read(fill_sentence(found, EN)) == ("A pool takes 0.50 s instead of 1.0 s , on 2 cores .")
    assert read(fill_sentence(found, RU)) == (
        "Пул занимает 0,50 с вместо 1,0 с : 2 ядра , на 2 ядрах ."
    )


def tell_at(at: dict[str, tuple[float, ...]], claim: Claim = CLAIM) -> list[str]:
    found = check(claim)
    checks = (replace(found.checks[-1], at=at),)
    return [read(Summary(replace(found, checks=checks), words).at) for words in (EN, RU)]


def test_a_sentence_is_followed_by_what_makes_its_number() -> None:
    at = {"tasks": (1000.0, 100.0), "wait_s": (0.05,), "workers": (40.0, 1.0), "cores": (2.0,)}
    assert tell_at(at) == [
        "(1,000 and 100 pages, 50 ms each, 40 threads, 2 cores)",
        "(1000 и 100 страниц по 50 мс, 40 потоков, 2 ядра)",
    ]
    at = {"tasks": (30.0,), "longest_wait_s": (0.9612,), "workers": (1.0,), "cores": (1, 2, 4)}
    assert tell_at(at) == [
        "(30 pages, waits up to 0.961 s, 1–4 cores)",
        "(30 страниц, ожидания до 0,961 с, 1–4 ядра)",
    ]
    unsaid = change(at={"tasks": "", "SIZE": "rows"})
    waits = {"tasks": (3.0,), "wait_s": (0.02, 0.0), "SIZE": (500.0,)}
    assert tell_at(waits, unsaid) == ["(500 rows)", "(500 строк)"]
    assert tell_at(waits)[0] == "(3 pages, 20 and 0 ms each)"
    assert tell_at({}) == ["", ""]


def test_what_makes_a_number_stands_wherever_its_sentence_does() -> None:
    found, told = check(), "(30 pages, waits up to 0.5 s, 2 cores)"
    homes = {CLAIM.id: "../lab/"}
    shown = [
        show_claim(found, "data", EN),
        list_claims([found], EN, homes),
        show_findings([found], EN, homes),
        show_answers([make_answer(found)], [], EN),
        show_evidence(make_choice(), found, EN),
    ]
    assert [told in read(one) for one in shown] == [True] * 5
    nothing = replace(found, checks=())
    assert "claim-at" not in show_claim(nothing, "data", EN) + list_claims([nothing], EN, homes)


@pytest.mark.parametrize(("id_", "fits"), [("short", True), ("a-name-of-many-words" * 2, False)])
def test_a_badge_says_what_makes_its_number_or_does_so_on_hovering(id_: str, fits: bool) -> None:
    badge = draw_badge(check(change(id=id_)), EN)
    told = "✔ confirmed: 30 pages, waits up to 0.5 s, 2 cores"
    assert f"<title>{id_}: {told}</title>" in badge.replace("\N{NO-BREAK SPACE}", " ")
    assert (f">{told}</text>" in badge.replace("\N{NO-BREAK SPACE}", " ")) == fits
    (width_px,) = re.findall(r'<svg [^>]*width="(\d+)"', badge)
    assert int(width_px) <= WIDEST_PX


@pytest.mark.parametrize(
    ("memory_mib", "told"),
    [
        (50, ""),
        (90, f"[memory_more [quoted {POOL}] 42 [MiB]]"),
        (8, f"[memory_less [quoted {POOL}] 40 [MiB]]"),
    ],
)
@pytest.mark.parametrize("status", ["confirmed", "refuted"])
def test_a_gain_says_what_it_costs_in_memory(memory_mib: int, told: str, status: str) -> None:
    pool = (0.5 if status == "confirmed" else 2.0,) * 5
    records = []
    for record in make_records(pool):
        own = memory_mib if record.program == POOL else 48
        traced = Trial(status="ok", values={"peak_pss_bytes": own << 20})
        records.append(replace(record, traced=(traced,) * 3))
    shown = read(Summary(check(records=records), WORDS).finding)
    assert ("[memory" in shown) == bool(told and status == "confirmed")
    assert not (told and status == "confirmed") or told in shown


@pytest.mark.parametrize(
    ("where", "told"),
    [
        (Where(cores="one"), "[not_tried [applies_elsewhere [cores one]]]"),
        (Where(python="3.7"), "[applies_elsewhere [on_python 3.7]]"),
    ],
)
def test_a_claim_of_another_place_says_so_where_it_does_not_apply(where: Where, told: str) -> None:
    shown = read(show_claim(check(change(where=where), make_records()[2:]), "data", WORDS))
    assert told in shown
    assert "A pool takes" not in shown


@pytest.mark.parametrize(
    ("relation", "wall_s", "said"),
    [
        ("less", 0.5, "[fold_faster [2]]"),
        ("less", 2.0, "[fold_slower [2]]"),
        ("more", 2.0, "[fold_slower [2]]"),
        ("not less", 0.5, "[fold_faster [2]]"),
        ("not more", 2.0, "[fold_slower [2]]"),
        ("more", 1.0, "[fold_same]"),
    ],
)
def test_how_many_times_is_never_below_one_and_says_which_way(
    relation: Relation, wall_s: float, said: str
) -> None:
    claim = change(all=[structs.replace(FASTER, relation=relation)])
    shown = show_claim(check(claim, make_records((wall_s,) * 5)), "data", WORDS)
    (line,) = re.findall(r"<li class=.*?cores_nominative.2.*?</li>", shown, flags=re.DOTALL)
    assert read(line).partition(" (")[0].endswith(said)


@pytest.mark.parametrize(
    ("place", "en", "ru"),
    [
        ("{ratio}", "twice", "вдвое"),
        ("{ratio|times}", "2 times", "2 раза"),
        ("{ratio|percent}", "100%", "100 %"),
        ("{ratio2|fold}", "1 time", "в 1 раз"),
        ("{left2}", "48 MiB", "48 МиБ"),
        ("{right2}", "48 MiB", "48 МиБ"),
    ],
)
def test_a_sentence_has_the_ratio_and_what_any_comparison_measured(
    place: str, en: str, ru: str
) -> None:
    same = structs.replace(FASTER, metric="peak_pss_bytes", relation="equal", margin=1.25)
    claim = change(all=[FASTER, same], **say(place, place))
    decided = replace(check(claim).checks[-1], outcome="as-claimed", reasons=())
    for words, said in ((EN, en), (RU, ru)):
        assert read(fill_sentence(decided, words)) == said


@pytest.mark.parametrize(
    ("statuses", "stands", "said"),
    [
        (
            "confirmed confirmed refuted",
            "borderline",
            "✔ confirmed in 2 of 3 sessions (twice as fast); ✖ refuted in 1 (twice as fast) Borderline:",
        ),
        ("borderline borderline", "borderline", "≈ borderline in 2 of 2 sessions"),
        ("open refuted", "refuted", "✖ refuted in 1 of 2 sessions (twice as fast); ? open in 1"),
    ],
)
def test_a_check_says_how_it_came_out_in_each_session_and_with_what_ratio(
    statuses: str, stands: ClaimStatus, said: str
) -> None:
    each = tuple(make_check(one) for one in statuses.split())
    found = replace(check(), checks=(replace(each[0], outcome=OUTCOMES[stands], sessions=each),))
    told = read(show_claim(found, "data", EN)).replace("\N{NO-BREAK SPACE}", " ")
    assert said in told


def test_source_text_cannot_break_out_of_the_page() -> None:
    claim = change(**say("<script>{left}</script>", ""))
    assert "<script>" not in show_claim(check(claim), "data", WORDS)


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("confirmed", {"refuted"}),
        ("refuted", {"confirmed"}),
        ("open", {"confirmed", "refuted"}),
        ("not applicable", {"confirmed", "refuted"}),
    ],
)
def test_what_is_decided_otherwise_elsewhere_is_found(here: ClaimStatus, there: set[str]) -> None:
    elsewhere = tuple(put(status, status) for status in get_args(ClaimStatus))
    found = replace(check(), checks=(make_check(here),), elsewhere=elsewhere)
    assert {one.machine.id for one in found.otherwise} == there


def test_of_a_machine_the_first_check_that_applies_counts() -> None:
    idle, first = make_check("not applicable", 1), make_check("confirmed", 4)
    far = replace(put("far", "refuted"), checks=(idle, first, make_check("refuted", 4)))
    assert replace(check(), elsewhere=(far,)).otherwise == ()
    far = replace(far, checks=(idle, replace(first, outcome="other-way"), first))
    assert [one.main for one in replace(check(), elsewhere=(far,)).otherwise] == [far.checks[1]]


def test_a_sentence_is_marked_where_other_machines_answer_otherwise() -> None:
    others = (put("far", "refuted"), put("near", "confirmed"), put("old", "not applicable"))
    found = replace(check(), elsewhere=others)
    assert read(Summary(found, EN).mark) == "(otherwise on 1 of 3 machines)"
    assert read(Summary(found, RU).mark) == "(иначе на 1 из 3 машин)"
    assert Summary(replace(found, elsewhere=others[1:]), EN).mark == ""


def test_every_relation_has_its_words_in_every_language() -> None:
    for words in (WORDS, EN, RU):
        told = []
        for relation, margin, metric in product(
            get_args(Relation), (1.0, 1.25), ("wall_s", "peak_pss_bytes", "lag_max_s")
        ):
            if relation in ("equal", "stays") and margin == 1:
                continue  # no declaration has it
            against: list[dict[str, object]] = [{"right": make_side(PLAIN)}]
            if margin == 1:  # a number is declared without one
                against.append({"right": 2.0})
            if relation in SWEPT:
                against = [{"over": over, "right": None} for over in get_args(Size)]
            made = structs.replace(FASTER, metric=metric, relation=relation, margin=margin)
            told += [format_condition(structs.replace(made, **one), words) for one in against]
        if words is WORDS:
            compare("conditions", "\n".join(told))


@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        (make_side(POOL, tasks="least", workers=4), None, "([tasks least], [workers 4])"),
        (make_side(POOL, workers="least"), make_side(POOL), "([workers most])"),
        (make_side(POOL, tasks=10), make_side(POOL), "([tasks 10])"),
        (make_side(POOL), make_side(PLAIN, start_method="spawn"), f"[quoted {PLAIN}] (spawn)"),
        (make_side(POOL), make_side(POOL, family="cpu"), f"[quoted {POOL}] (io)"),
        (
            make_side(POOL, names={"program": {"en": "a pool"}}),
            None,
            "[condition_time_less [quoted a pool] ",
        ),
    ],
)
def test_a_side_says_what_differs_from_the_ordinary_and_from_the_other(
    left: object, right: object, told: str
) -> None:
    made = structs.replace(FASTER, left=left, right=right or FASTER.right)
    assert told in read(format_condition(made, WORDS)).replace("[workers least]", "")


def disturb(record: Record) -> Record:
    trials = (replace(one, values={**one.values, "others_share": 1.5}) for one in record.timed)
    return replace(record, timed=tuple(trials))


OTHER = change(id="another", topic="memory", source="us", origin="")
NOISY = check(records=make_records((0.2, 1.9, 1.0, 0.5, 0.8)))
ONCE = check(records=make_records((0.5,)))
BUSY = check(records=[disturb(record) for record in make_records()])


def test_a_list_has_a_row_a_claim_with_what_its_form_goes_by() -> None:
    both = [check(), check(OTHER)]
    rows = list_claims(both, WORDS, dict.fromkeys([one.claim.id for one in both], "../lab/"))
    form = show_filters(both, WORDS)
    compare("claim-list", form + rows)
    offered = re.findall(r'<option value="([^"]+)">', form)
    unheard = ["refuted", "borderline", "open", "not measured", "not applicable"]
    assert [one for one in offered if f'"{one}"' not in unescape(rows)] == unheard


def test_pages_open_with_what_is_decided_alone() -> None:
    assert show_findings([NOISY, replace(check(), checks=())], WORDS, {}) == ""


def make_answer(checked: CheckedClaim) -> Answer:
    return Answer(
        address="a/",
        title="A",
        advice="Use a pool.",
        kind="processes",
        summary=Summary(checked, EN),
    )


def test_an_answer_has_its_number_or_its_advice_and_why_is_said_once() -> None:
    found = (check(), NOISY, NOISY, ONCE, ONCE)
    first, *others = show_answers([*map(make_answer, found)], [], WORDS).split("<li>")[1:]
    assert "A pool takes <strong>0.50" in first
    assert "Use a pool." not in first
    for undecided in others:
        assert "<p>Use a pool.</p>" in undecided
        assert "A pool takes" not in undecided
    assert others[-1].count("[answers_undecided [more_trials]; [not measured]]") == 1


def test_answers_that_do_not_lead_are_links_alone() -> None:
    shown = show_answers([], [make_answer(check()), make_answer(NOISY)], EN)
    assert shown.count('<li><a href="a/">A</a></li>') == 2
    assert "0.50" not in shown
    assert "undecided" not in shown


@pytest.mark.parametrize(
    "checked", [ONCE, replace(ONCE, checks=()), replace(ONCE, checks=check().checks[:0])]
)
def test_what_is_not_measured_has_its_condition_without_sign_or_number(
    checked: CheckedClaim,
) -> None:
    why = "Not measured here yet."
    assert read(Summary(checked, EN).finding) == f"{read(format_condition(FASTER, EN))} {why}"
    shown = show_claim(checked, "data", EN).partition("<details")[0]
    assert f">{why}<" in shown
    assert "claim-status" not in shown
    assert why in show_evidence(make_choice(), checked, EN)


@pytest.mark.parametrize("checked", [NOISY, BUSY])
def test_what_is_open_says_so_of_both_programs(checked: CheckedClaim) -> None:
    claim = change(instead={})
    checks = tuple(replace(each, claim=claim) for each in checked.checks)
    found = replace(checked, claim=claim, checks=checks)
    shown = read(Summary(found, EN).finding)
    assert shown.startswith(f"? {POOL} took ")
    assert f", {PLAIN} " in shown
    assert ". The runs vary too much to say which is faster." in shown
    assert "Not decided here" in show_evidence(make_choice(), found, EN)


def test_what_was_not_measured_yet_is_not_called_inapplicable() -> None:
    nothing = replace(check(), checks=())
    row = list_claims([nothing], WORDS, {nothing.claim.id: ""})
    for shown in (row, show_bar([nothing], WORDS)):
        assert "[not measured]" in shown
        assert "[not applicable]" not in shown


CHOICES = DECLARED.choices
VALUES = {
    axis: [value for value in WORDS.catalogue["choose_axis"][axis] if value != "question"]
    for axis in AXES
}


def find_first(replies: dict[str, str]) -> str:
    """The program of the answer that fits and speaks of most replies; open on either side fits."""
    known = {axis: reply for axis, reply in replies.items() if reply}
    fitting = [
        choice
        for choice in CHOICES
        if all(reply in (getattr(choice, axis) or [reply]) for axis, reply in known.items())
    ]
    return max(fitting, key=lambda choice: sum(bool(getattr(choice, axis)) for axis in known)).take


def list_first(**known: str) -> set[str]:
    """The first programs for every way to answer the questions, some left open, with these replies."""
    offered = [[known[axis]] if axis in known else ["", *VALUES[axis]] for axis in AXES]
    return {find_first(dict(zip(AXES, replies, strict=True))) for replies in product(*offered)}


def test_every_answer_comes_first_for_some_task_and_leads_on() -> None:
    assert list_first() == {choice.take for choice in CHOICES}


BLOCKED = {"matrix/17-io+io_blocking-async+thread_pool", "hidden-pool/07-connections-pool"}
"""Calls that block a loop get threads."""


@pytest.mark.parametrize(
    ("replies", "programs"),
    [
        (
            "work=waiting library=blocking",
            {"matrix/02-io-threads", "answers/05-thousands_of_waits"},
        ),
        ("work=computing cores=several gil=off", {"free-threads/02-threads-own_sums"}),
        ("work=native cores=several", {"native/02-threads", "blas/03-threads"}),
        ("work=mixed", BLOCKED | {"responsiveness/03-process_pool"}),
        ("work=mixed tasks=few", {"matrix/17-io+io_blocking-async+thread_pool"}),
    ],
)
def test_a_task_is_given_first_to_what_suits_it(replies: str, programs: set[str]) -> None:
    assert list_first(**dict(one.split("=") for one in replies.split())) == programs


@pytest.mark.parametrize(
    ("replies", "program"),
    [
        ("work=waiting", "process"),
        ("work=waiting tasks=thousands", "thread"),
        ("work=computing cores=one", "pool"),
        ("work=native cores=one", "pool"),
        ("work=computing gil=on", "thread"),
    ],
)
def test_a_task_is_never_given_first_to_what_cannot_help(replies: str, program: str) -> None:
    given = list_first(**dict(one.split("=") for one in replies.split()))
    assert not {take for take in given if program in take}


def lead(experiment: str, anchor: str) -> str:
    return f"../{experiment}/#{anchor}"


def test_what_was_not_measured_is_advised_nevertheless() -> None:
    alone = [one for one in make_records() if one.program == PLAIN]
    answer = (make_choice(answer="fetch-urls"), check(records=alone), make_evidence(alone))
    told = show_choices([answer], WORDS, lead)
    assert "[not_measured]" in told
    assert 'href="../answers/fetch-urls/"' in told


def show_row(walls: Sequence[float]) -> str:
    """A row of Choose that takes the pool, where the pool takes so long and the plain loop a second."""
    records = make_records(walls)
    row = (
        make_choice(answer="io"),
        check(records=records),
        make_evidence(records, list_pythons(records)),
    )
    return show_choices([row], WORDS, lead)


ADVICE = '<strong class="choice-advice">{}</strong>'


def test_a_row_whose_claim_is_refuted_takes_what_is_recommended_here_without_a_sign() -> None:
    shown = show_row((1.5,) * 5)
    assert ADVICE.format(PLAIN) in shown
    assert 'href="../lab/#p01"' in shown
    assert "../answers/io/" not in shown
    assert "[elsewhere] en advice." in shown
    assert "1.5" not in shown
    assert "[refuted]" not in shown


def test_a_row_whose_claim_is_open_keeps_its_advice_without_sign_and_number() -> None:
    shown = show_row((0.2, 1.9, 1.0, 0.5, 0.7))
    assert ADVICE.format("en advice") in shown
    assert 'href="../answers/io/"' in shown
    assert "[open]" not in shown.partition("</form>")[2]
    assert "0.70" not in shown


def test_a_row_whose_claim_holds_has_its_advice_its_sign_and_its_number() -> None:
    shown = show_row((0.5,) * 5)
    assert ADVICE.format("en advice") in shown
    assert "[confirmed]" in shown
    assert "0.50" in shown


def test_a_row_without_an_answer_leads_to_the_program_of_its_experiment_and_says_so() -> None:
    records = make_records()
    row = (make_choice(), check(records=records), make_evidence(records))
    shown = show_choices([row], WORDS, lead)
    assert re.search(r'class="choice-answer"><a href="../lab/#p04">\[experiment\]', shown)
