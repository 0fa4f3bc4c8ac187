"""Every language has the words of every other; of plural forms, which are its own, the last."""

from collections.abc import Iterator, Mapping
from typing import Any

from scripts.site.declare.texts import list_languages, read_catalogue


def list_words(table: Mapping[str, Any], *place: str) -> Iterator[tuple[str, ...]]:
    for key, word in table.items():
        if not isinstance(word, dict):
            yield (*place, key)
        elif place == ("plural",):
            yield from ((*place, key, form) for form in word if form == "other")
        else:
            yield from list_words(word, *place, key)


def test_no_language_lacks_a_word() -> None:
    found = {one: {*list_words(read_catalogue(one))} for one in list_languages()}
    everything = set().union(*found.values())
    lacking = {one: everything - words for one, words in found.items()}
    assert not any(lacking.values()), lacking
