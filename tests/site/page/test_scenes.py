"""A price is what the program took on the first interpreter, or on the first that has the GIL so."""

import pytest

from scripts.site.declare.scenes import Price
from scripts.site.page import scenes
from tests.factories import POOL
from tests.site.golden import FREE, NEW, measure_lab


@pytest.mark.parametrize(("gil", "interpreter"), [("", NEW.id), ("on", NEW.id), ("off", FREE.id)])
def test_a_price_is_of_the_build_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, gil: str, interpreter: str
) -> None:
    evidence = measure_lab(NEW, FREE)
    monkeypatch.setattr(scenes, "gather", lambda name: evidence)
    price = Price(program=f"lab/{POOL}", gil=gil, otherwise_ms=3)
    row = scenes.find_price(price)
    assert row is not None
    assert row.interpreter == interpreter
    assert scenes.take_price_ms(price, row) != 3
    assert scenes.find_price(Price(program="lab/99-none", otherwise_ms=3)) is None
