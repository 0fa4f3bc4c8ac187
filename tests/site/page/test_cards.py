"""A link to a page shows its title and its first finding, in few bytes, drawn once."""

import io
from pathlib import Path

import pytest
from PIL import Image

from scripts.site import kept
from scripts.site.page import cards
from scripts.site.page.cards import CARD, FINDING, ROOM, SIZE, write_card
from scripts.site.render.pictures import load_font, wrap

LARGEST_BYTES = 12_000
NAME = "Concurrency and parallelism in Python"
LONG = "Потоки с общим клиентом и пулом соединений загружают тысячу страниц вдвое быстрее, "
TWIN = """# Fetch

| [a](b) | ✔ recommended. |

- 2 cores: ✔ confirmed ×10

- ✔ A loop takes **6.9 s**, see [`here`](../x/). (1,000 pages, 2 cores)

- ✔ Another.
"""


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A page's own, with an empty cache beside it."""
    monkeypatch.setattr(kept, "FOLDER", tmp_path / "kept")
    return tmp_path


def test_a_card_tells_the_first_finding_else_the_description_and_is_drawn_where_these_change(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    monkeypatch.setattr(cards, "draw", lambda *texts: told.append(texts) or b"a card")
    for title, twin in (("Fetch", TWIN), ("Fetch", TWIN), ("Choose", "# Choose")):
        write_card(folder, title, "Of pages.", NAME, twin)
    assert told == [
        ("Fetch", "A loop takes 6.9 s, see here. (1,000 pages, 2 cores)", NAME),
        ("Choose", "Of pages.", NAME),
    ]
    assert (folder / CARD).read_bytes() == b"a card"


@pytest.mark.parametrize("times", [1, 5])
def test_a_card_is_small_and_its_texts_stay_within_their_lines(folder: Path, times: int) -> None:
    write_card(folder, LONG[: 45 * times], LONG * times, NAME, "")
    card = (folder / CARD).read_bytes()
    assert len(card) <= LARGEST_BYTES
    picture = Image.open(io.BytesIO(card)).convert("L")
    assert picture.size == SIZE
    right = (SIZE[0] - cards.MARGIN + 4, 0, *SIZE)
    bottom = SIZE[1] - cards.MARGIN - cards.NAME
    over_name = (cards.BAND, bottom - 8, SIZE[0], bottom)
    for empty in (right, over_name):
        darkest, brightest = picture.crop(empty).getextrema()
        assert darkest == brightest


def test_lines_keep_every_word() -> None:
    assert " ".join(wrap(LONG, load_font(FINDING), ROOM)) == LONG.strip()
