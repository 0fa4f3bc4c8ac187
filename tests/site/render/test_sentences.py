"""No sentence denies its own number, or leaves out of whom and which way: on any machine that we have or make up."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import pytest

from making import replace
from poolwise.record import Record, Results, Trial
from scripts.site.declare.claims import Side
from scripts.site.judge.claims import Check, Finding, check_evidence
from scripts.site.judge.decisions import NO_DIFFERENCE
from scripts.site.paths import RESULTS
from scripts.site.render.claims import fill_sentence
from scripts.site.render.html import drop_tags
from scripts.site.render.sentences import call_side
from scripts.site.render.words import load_words
from scripts.site.study.machines import open_recorded, read_machines
from tests.declared import DECLARED
from tests.site.golden import compare

SHOWN = "amd-epyc-2c-24g-linux-kvm-a1a705"
LANGUAGES = ("en", "ru")
# "X, not Y" says which of both it was, "as many" how many there were, and "no more than" how much it is.
DENIALS = {
    "en": re.compile(
        r"(?<!, )\b(?:not|no|none|nothing|hardly|barely|never)\b|n['’]t\b", re.IGNORECASE
    ),
    "ru": re.compile(
        r"(?<!\bа )\b(?:не(?! больше)|ни|нет|незачем|ненамного|едва|(?<!чем )столько же(?! \w+ов\b))\b",
        re.IGNORECASE,
    ),
}
INNOCENT = frozenset(
    {
        "answers-little-memory",
        "containers-formula-takes-memory",
        "convoy-a-long-call-does-not-hear-the-interval",
        "free-threads-compute-in-parallel",
        "largest-process-hides-the-memory-of-the-others",
        "json-one-task-is-slower-in-a-process",
        "one-core-nothing-speeds-computing",
        "queues-semaphore-does-not-bound-tasks",
        "sleep-gil-is-no-obstacle",
        "sleep-thread-pool-for-few-asyncio-for-many",
        "startup-fork-hands-the-table-over-for-nothing",
        "startup-preloading-saves-time",
        "startup-spawn-pays-for-imports-again",
    }
)
"""Claims whose denial is of something else than the difference that they compare."""
MOST_INNOCENT = 15

Change = Callable[[Results], Results]
Told = tuple[str, Check]


def keep(results: Results) -> Results:
    """It is as it was recorded."""
    return results


def slow_threads(results: Results) -> Results:
    """Threads take ten times as long."""

    def slow(trial: Trial) -> Trial:
        times = {name: value and 10 * value for name, value in trial.values.items()}
        kept = {name: value for name, value in trial.values.items() if not name.endswith("_s")}
        return replace(trial, values=times | kept)

    records = []
    for record in results.records:
        programs = {one.name: one for one in DECLARED.experiments[record.experiment].programs}
        # A program may have gone.
        has_threads = record.program in programs and "threads" in programs[record.program].ways
        timed = map(slow, record.timed) if has_threads else record.timed
        records.append(replace(record, timed=tuple(timed)))
    return replace(results, records=tuple(records))


def keep_one_core(results: Results) -> Results:
    """There is a single core."""
    return replace(
        results, records=tuple(record for record in results.records if record.cores == 1)
    )


def make_equal(results: Results) -> Results:
    """All programs of a family take as much of everything."""
    first: dict[tuple[str, str], Record] = {}
    records = []
    for record in results.records:
        like = first.setdefault((record.experiment, record.family), record)
        is_measured = record.is_measured and like.is_measured
        same = replace(record, timed=like.timed, traced=like.traced) if is_measured else record
        records.append(same)
    return replace(results, records=tuple(records))


CHANGES: Mapping[str, Change] = {
    "shipped": keep,
    "threads ten times slower": slow_threads,
    "one core": keep_one_core,
    "everything equal": make_equal,
}


@cache
def list_checks(kind: str) -> tuple[Told, ...]:
    """List the checks that a sentence is said of: of all machines with records, or of one made up."""
    told: list[Told] = []
    machines = read_machines(RESULTS, DECLARED.experiments, pytest.fail)
    for id_, results in machines.items():
        if kind != "shipped" and id_ != SHOWN:
            continue
        cells = open_recorded(map(CHANGES[kind], results), DECLARED.experiments, "quick")
        for name, claims in DECLARED.claims.items():
            evidence = cells.judge(name)
            if claims and evidence.judgements:
                checks = check_evidence(claims, evidence)
                told += ((id_, check.preview or check) for check in checks)
    return tuple((id_, check) for id_, check in told if say(check, "en"))


def say(check: Check, language: str) -> str:
    return drop_tags(fill_sentence(check, load_words(language)))


def is_made(check: Check) -> bool:
    """Tell whether its sentence is made of its parts."""
    if check.outcome is None or check.deciding is None:
        return False
    return not check.claim.find_written(check.outcome)


def list_names(check: Check, language: str) -> list[str]:
    """List what a made sentence calls the sides that the check is decided by."""
    assert check.deciding
    comparison, words = check.deciding.comparison, load_words(language)
    names = [call_side(comparison.left, words, other=comparison.right)]
    if isinstance(comparison.right, Side) and comparison.right_python == "same":
        names.append(call_side(comparison.right, words, other=comparison.left))
    return names


def list_apart(kind: str) -> Iterator[Check]:
    """List the checks of which two sides surely differ by more than nobody would choose by."""
    for _, check in list_checks(kind):
        findings = [check.deciding] if is_made(check) else check.findings
        if any(finding and differs(finding) for finding in findings):
            yield check


def differs(finding: Finding) -> bool:
    ratio = finding.whole
    if finding.comparison.limit is not None or not ratio.is_sure:
        return False
    return ratio.low > NO_DIFFERENCE or ratio.high < 1 / NO_DIFFERENCE


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", CHANGES)
def test_no_sentence_denies_a_difference_that_is_there(kind: str, language: str) -> None:
    denying = {}
    for check in list_apart(kind):
        sentence = say(check, language)
        if is_made(check):
            for name in list_names(check, language):
                sentence = re.sub(re.escape(name), "", sentence, flags=re.IGNORECASE)
        if DENIALS[language].search(sentence) and check.claim.id not in INNOCENT:
            denying[check.claim.id] = f"{check.outcome}: {sentence}"
    assert denying == {}


def test_few_denials_are_innocent_and_all_are_of_claims() -> None:
    ids = {claim.id for claims in DECLARED.claims.values() for claim in claims}
    assert ids >= INNOCENT
    assert len(INNOCENT) <= MOST_INNOCENT


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", CHANGES)
def test_a_made_sentence_names_both_sides_and_which_way_they_differ(
    kind: str, language: str
) -> None:
    words = load_words(language)
    amounts = words.catalogue["amount"].items()
    ways = {phrase.split("}")[-1].strip() for key, phrase in amounts if "bare" not in key}
    same = ("about the same", "наравне", "поровну")
    wanting = {}
    for _, check in list_checks(kind):
        finding = check.deciding
        if not is_made(check) or finding is None:
            continue
        sentence, names = say(check, language).lower(), list_names(check, language)
        if finding.comparison.limit is None:
            if len({*names}) < len(names):
                wanting[check.claim.id] = f"one name for both: {sentence}"
            if not any(way in sentence for way in (*ways, *same)):
                wanting[check.claim.id] = f"no direction: {sentence}"
        if not all(name.lower() in sentence for name in names):
            wanting[check.claim.id] = f"no subject: {sentence}"
    assert wanting == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_made_sentence_opens_with_the_builds_and_machines_that_it_is_about(language: str) -> None:
    words = load_words(language)
    openings = {"on": "with_gil_on", "off": "with_gil_off"}
    opened = 0
    for _, check in list_checks("shipped"):
        where = check.claim.where
        if not is_made(check) or not (where.gil or where.cores == "one"):
            continue
        text = words.text("on_one_core" if where.cores == "one" else openings[where.gil or ""])
        sentence = say(check, language)
        assert sentence.lower().startswith(text.lower())
        assert sentence[0].isupper()
        opened += 1
    assert opened > 10


def test_a_person_has_read_all_made_sentences_of_the_shipped_records() -> None:
    """``GOLDEN=update`` lists them anew: read what has changed, in both languages."""
    lines = []
    for machine, check in list_checks("shipped"):
        if is_made(check):
            place = f"{machine.rpartition('-')[2]} {check.interpreter}"
            lines.append(f"{check.claim.id} ({place}): {check.outcome}")
            lines += (f"  {say(check, language)}" for language in LANGUAGES)
    compare("sentences.txt", "\n".join(lines))
