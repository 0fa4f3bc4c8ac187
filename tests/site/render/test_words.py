"""The catalogues have every word that the code asks for and no other, in every language alike."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, get_args

import pytest

from poolwise.declaration import PLACES, Code, MalformedDeclaration, Reason
from poolwise.metrics import METRICS
from scripts.site.declare.texts import list_languages, read_catalogue
from scripts.site.paths import DOCS, EXAMPLES, ROOT
from scripts.site.render.words import NBSP, load_words
from tests.declared import CLAIMS

SITE = ROOT / "scripts" / "site"
TOOL = ROOT / "scripts" / "poolwise" / "src"
SOURCES = [*SITE.rglob("*.py"), *SITE.rglob("templates/**/*.*")]
LOOKUPS = {"text": "text", "markup": "markup", "count": "plural"}
"""Methods of Words that look into one group, and that group."""
CALL = re.compile(
    r"""(?:words|words\(\)|self)\.(text|markup|count|term)\(\s*f?["']([^"'\n]+)["'](?:,\s*f?["']([^"'\n]+)["'])?"""
)
NAME = re.compile(r"""["']([^"'\n]+)["']|\b(\w+)(?= ?[:=,])""")
"""A string, or what is declared or listed by its name."""
BEYOND_CODE = {"mark", "quantity", "notebook", "original_machine", "experiment", "always_seen"}
BEYOND_CODE |= {"drawing", "scene", "scene_key", "scene_kind", "scene_says", "scene_token"}
"""Groups whose keys others name: an article's marks and machines, a notebook's phrases, folders, pictures, what their lanes do."""


def find(pattern: re.Pattern[str], sources: Iterable[Path] = SOURCES) -> Iterator[list[str]]:
    """What a pattern finds in the code; a star stands for what is put into a string."""
    for path in sources:
        for found in pattern.findall(path.read_text(encoding="utf-8")):
            yield [re.sub(r"\{[^{}]*\}", "*", one) for one in found]


@cache
def list_calls() -> frozenset[tuple[str, str]]:
    """Group and key of each lookup whose key stands in the code."""
    return frozenset(
        (first, second) if method == "term" else (LOOKUPS[method], first)
        for method, first, second in find(CALL)
        if method != "term" or second
    )


@cache
def list_names() -> set[str]:
    """Strings and names in the code, in which a key may stand apart from its lookup."""
    names = {one for found in find(NAME, [*SOURCES, *TOOL.rglob("*.py")]) for one in found if one}
    others = [*DOCS.glob("theme/assets/**/*.js"), *EXAMPLES.glob("*/originals.csv")]
    for path in (*others, *EXAMPLES.glob("*/*.py")):
        names.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    for path in EXAMPLES.glob("*/claims.toml"):  # the plural forms in sentences
        names.update(re.findall(r"\|(\w+)}", path.read_text(encoding="utf-8")))
    for claim in chain.from_iterable(CLAIMS.values()):
        names.update(claim.at.values())
    return names


def list_keys(language: str) -> Iterator[tuple[str, str]]:
    for group, words in read_catalogue(language).items():
        if isinstance(words, dict):
            yield from ((group, key) for key in words)


def fits(key: str, asked: str) -> bool:
    if "*" not in asked:
        return key == asked
    return bool(re.fullmatch(re.escape(asked).replace(r"\*", ".+"), key))


@pytest.mark.parametrize("language", list_languages())
def test_every_word_that_the_code_asks_for_is_there_and_no_other(language: str) -> None:
    keys, calls, names = set(list_keys(language)), list_calls(), list_names()
    assert len(calls) > 100
    fitting = {
        call: {key for key in keys if call[0] == key[0] and fits(key[1], call[1])} for call in calls
    }
    assert [call for call in calls if not fitting[call]] == []
    parted = [name for name in names if re.match(r"\w{4,}.*\*", name)]
    idle = [
        (group, key)
        for group, key in keys.difference(*fitting.values())
        if group not in BEYOND_CODE
        and key not in names
        and not any(fits(key, name) for name in parted)
    ]
    assert idle == []


def test_the_places_of_a_phrase_are_those_of_its_other_languages() -> None:
    def list_places(words: Any, *keys: str) -> Iterator[tuple[tuple[str, ...], str]]:
        for key, word in words.items():
            if isinstance(word, dict):
                yield from list_places(word, *keys, key)
            elif keys[:1] not in (("plural",), ("quantity",), ("amount",)):
                form = str(word).partition(" | ")[0]  # of one thing; of several it has the same
                yield (*keys, key), " ".join(sorted(re.findall(r"\{\w+\}", form)))

    first, *others = (dict(list_places(read_catalogue(one))) for one in list_languages())
    assert all(other == first for other in others)


@pytest.mark.parametrize(
    "look",
    [
        lambda words: words.text("gossip"),
        lambda words: words.count("gossip", 3),
        lambda words: words.term("gossip", "gossip"),
    ],
)
def test_a_word_that_is_not_there_is_told_with_catalogue_and_key(look: Any) -> None:
    path = re.escape(str(Path("words", "en.toml")))
    with pytest.raises(MalformedDeclaration, match=rf"{path}: no word '.*gossip'"):
        look(load_words("en"))


CATEGORIES = {
    "en": {1: "one", 2: "other", 5: "other", 21: "other", 1.5: "other"},
    "ru": {1: "one", 2: "few", 5: "many", 21: "one", 1.5: "other"},
}
"""The plural category of each number, after CLDR."""


@pytest.mark.parametrize("language", list_languages())
def test_every_noun_agrees_with_its_number(language: str) -> None:
    words = load_words(language)
    forms = words.catalogue["plural"]
    assert len(forms) > 10
    for key, phrases in forms.items():
        assert phrases.keys() == set(CATEGORIES[language].values()), key
        for number, category in CATEGORIES[language].items():
            expected = phrases[category].format(n=words.plain(number))
            assert words.count(key, number).replace(NBSP, " ") == expected
    told = [words.fold(number).replace(NBSP, " ") for number in (1.5, 2, 3, 5, 21)]
    assert told == {
        "en": ["1.5 times", "twice", "three times", "5 times", "21 times"],
        "ru": ["в 1,5 раза", "вдвое", "втрое", "в 5 раз", "в 21 раз"],
    }.get(language)


def test_a_number_is_told_with_its_noun_by_the_digits_shown() -> None:
    told = [load_words("ru").count("times", n, 1).replace(NBSP, " ") for n in (1.0, 2.04, 21.0)]
    assert told == ["1,0 раза", "2,0 раза", "21,0 раза"]


@pytest.mark.parametrize(
    ("numbers", "english", "russian"),
    [
        ([1], "1 page", "1 страница"),
        ([200, 21], "200 and 21 pages", "200 и 21 страница"),
        ([20, 5, 42], "5–42 pages", "5–42 страницы"),
    ],
)
def test_several_numbers_are_told_with_the_noun_of_the_last(
    numbers: list[float], english: str, russian: str
) -> None:
    told = [load_words(one).count_several("pages", numbers) for one in ("en", "ru")]
    assert [one.replace(NBSP, " ") for one in told] == [english, russian]


CODES = get_args(Code)


def make(code: Code) -> Reason:
    return Reason(code, dict.fromkeys(PLACES.get(code, ()), "x"))


@pytest.mark.parametrize("language", list_languages())
def test_every_reason_has_words_with_exactly_its_places(language: str) -> None:
    phrases = load_words(language).catalogue["reason"]
    places = {code: frozenset(re.findall(r"{(\w+)}", phrase)) for code, phrase in phrases.items()}
    assert places == {code: PLACES.get(code, frozenset()) for code in CODES}


def test_no_reason_is_told_in_another_language() -> None:
    told = [load_words("ru").reason(make(code)) for code in CODES]
    names = re.compile(r"GIL|ONLY|Python|wheel|\bx\b")
    assert [one for one in told if re.search("[A-Za-z]", names.sub("", one))] == []


def test_a_number_is_written_as_the_language_does() -> None:
    reason = Reason("timed-out", {"after_s": 60.5})
    assert "60.5" in load_words("en").reason(reason)
    assert "60,5" in load_words("ru").reason(reason)
    told = [load_words(one).plain(n) for one in ("en", "ru") for n in (1_000, 12_000.5)]
    assert [one.replace(NBSP, " ") for one in told] == ["1,000", "12,000.5", "1000", "12 000,5"]


@pytest.mark.parametrize("language", list_languages())
def test_every_metric_has_a_name_of_its_own_in_every_language(language: str) -> None:
    names = {load_words(language).metric(name) for name in METRICS}
    assert len(names) == len(METRICS)


@pytest.mark.parametrize(
    ("first", "en", "ru"),
    [
        (date(2026, 11, 28), "28 November 2026", "28 ноября 2026 г."),
        (date(2026, 11, 27), "27–28 November 2026", "27–28 ноября 2026 г."),
        (date(2026, 10, 27), "27 October – 28 November 2026", "27 октября – 28 ноября 2026 г."),
        (
            date(2025, 11, 27),
            "27 November 2025 – 28 November 2026",
            "27 ноября 2025 г. – 28 ноября 2026 г.",
        ),
    ],
)
def test_days_are_told_as_one_span(first: date, en: str, ru: str) -> None:
    spans = [load_words(language).dates(first, date(2026, 11, 28)) for language in ("en", "ru")]
    assert [re.sub(r"\s", " ", span) for span in spans] == [en, ru]


def test_a_typed_number_keeps_its_unit_and_a_preposition_stays_apart() -> None:
    texts = {"en": "4 KiB in 2 s, 3 times", "ru": "64 МиБ за 2 с, 8 с потоками, 9 %"}
    chosen = [load_words(language).choose(texts) for language in ("en", "ru")]
    assert chosen == [
        f"4{NBSP}KiB in 2{NBSP}s, 3 times",
        f"64{NBSP}МиБ за 2{NBSP}с, 8 с потоками, 9{NBSP}%",
    ]
