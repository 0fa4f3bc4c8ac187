"""A badge has a claim's id and status, in the language of who shows it, and is a picture by itself."""

from xml.etree import ElementTree as ET

import pytest

from scripts.harness.texts import list_languages
from scripts.site.render.claim_list import draw_badge
from scripts.site.render.words import load_words
from tests.site.render.test_claims import check


@pytest.mark.parametrize("language", list_languages())
def test_it_says_which_claim_and_what_became_of_it(language: str) -> None:
    words = load_words(language)
    checked = check()
    root = ET.fromstring(draw_badge(checked, words))
    texts = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == checked.claim.id
    assert texts[1].endswith(words.term("claim_status", "confirmed"))
