"""How pages of two builders are compared."""

from bench.exit import _compare


def test_pages_that_differ_or_are_missing_are_counted_and_named() -> None:
    texts = {"a": "same", "b": "of one", "c": "missing"}
    finding = _compare("Other", texts, {"a": "same", "b": "of two", "d": "more"})
    assert finding.value == "2 of 3, as b, c"
    assert not finding.kept
    assert _compare("Other", texts, dict(texts)).kept
