"""Both languages say the same things, each in its own numbers and plurals."""

import re
from pathlib import Path
from string import Formatter

import pytest

from poolwise import words
from poolwise.words import LANGUAGES, Failed, Message, Refused, Words, choose_language

TABLES = [*words.read_sentences("en")]
SOURCE = "\n".join(
    path.read_text(encoding="utf-8") for path in words.CATALOGUES.parent.glob("*.py")
)
USED = re.compile(rf'"(?:{"|".join(TABLES)})\.[a-z0-9-]+"')
BREAK = "\N{NO-BREAK SPACE}"


def list_keys(language: str) -> set[str]:
    catalogue = words.read_sentences(language)
    return {f"{table}.{name}" for table in catalogue for name in catalogue[table]}


def list_places(language: str, key: str) -> set[str]:
    table, _, name = key.partition(".")
    text = words.read_sentences(language)[table][name]
    return {place for _, place, _, _ in Formatter().parse(text) if place is not None}


def test_both_languages_have_the_same_keys_and_places():
    assert list_keys("en") == list_keys("ru")
    for key in list_keys("en"):
        assert list_places("en", key) == list_places("ru", key), key


def test_each_key_in_the_source_is_in_the_catalogue_and_the_other_way_round():
    assert {key.strip('"') for key in USED.findall(SOURCE)} <= list_keys("en")
    keys = {key for key in list_keys("en") if not key.startswith(("words.", "end."))}
    # The end of some is put in, as in f"cli.help-{command}" and f"end.{code}".
    assert not {
        key for key in keys if key not in SOURCE and f"{key.rpartition('-')[0]}-{{" not in SOURCE
    }


@pytest.mark.parametrize(
    ("value", "form", "english", "russian"),
    [
        (0.028, "s", "28 ms", "28 мс"),
        (77.419, "s", "77.4 s", "77,4 с"),
        (0.9999, "s", "1 s", "1 с"),
        (0.0, "s", "0 s", "0 с"),
        (0.123, "%", "12%", "12 %"),
        (2.0, "fold", "twice", "вдвое"),
        (2.1, "fold", "2.1 times", "в 2,1 раза"),
        (22.3, "fold", "22 times", "в 22 раза"),
        (1, "item|items|", "1 item", "1 item"),
        (12345, "", "12,345", f"12{BREAK}345"),
        (1234, "", "1,234", "1234"),
        (2.064, "3", "2.06", "2,06"),
        ([1.5, "b", "c"], "", "1.5, b and c", "1,5, b и c"),
        (["A.", "B."], "lines", "A. B.", "A. B."),
        (Path("a b.py"), "", "a b.py", "a b.py"),
    ],
)
def test_a_value_is_written_as_people_of_the_language_do(value, form, english, russian):
    assert [Words(language).format_field(value, form) for language in LANGUAGES] == [
        english,
        russian,
    ]


@pytest.mark.parametrize(
    ("count", "russian"),
    [(1, "1 поток"), (21, "21 поток"), (11, "11 потоков"), (3, "3 потока"), (13, "13 потоков")],
)
def test_a_noun_has_the_plural_form_of_its_number(count, russian):
    assert Words("ru").format_field(count, "поток|потока|потоков") == russian
    english = Words("en").format_field(count, "# thread is|# threads are")
    assert english == ("1 thread is" if count == 1 else f"{count} threads are")


def test_text_of_a_user_is_no_template_and_a_message_may_be_within_another():
    inner = Message("words.and", {"first": "{oops}", "last": "%s"})
    outer = Message("words.and", {"first": inner, "last": [inner, "c"]})
    assert Words().say(outer) == "{oops} and %s and {oops} and %s and c"


def test_a_failure_says_its_sentence_in_english_by_itself():
    failure = Failed("words.and", first="a", last="b")
    assert (str(failure), failure.message.key) == ("a and b", "words.and")
    assert str(Refused(failure.message)) == "a and b"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "ru_RU", "LC_ALL": ""}, "ru"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_language_is_the_one_of_the_person(environment, language):
    assert choose_language(environment) == language
