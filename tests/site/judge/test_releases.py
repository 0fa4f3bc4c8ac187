"""Each release is held against the one before it, by pairs of one session."""

import pytest

from making import make_build, make_record, make_variant
from poolwise.record import Record
from poolwise.statistics import Estimate
from scripts.site.judge.releases import is_decided, is_narrow, pair_releases, relate

OLD, NEW, FREE = make_build("3.13.0"), make_build("3.14.0rc1"), make_build("3.14.0", "t")
ON, GAIN = pair_releases([NEW, FREE, OLD])


def run(*walls: float, python: str = OLD.id, workers: int = 1) -> Record:
    return make_record(make_variant(interpreter=python, workers=workers), walls)


def test_neighbours_are_compared_and_two_threads_where_there_is_no_gil() -> None:
    assert (ON.kind, ON.cells) == ("on", ((NEW.id, 1), (OLD.id, 1)))
    assert (GAIN.kind, GAIN.cells) == ("gain", ((FREE.id, 2), (FREE.id, 1)))


def test_a_ratio_is_of_pairs_and_there_is_none_of_too_few() -> None:
    drifting = [1.0, 1.2, 1.4, 1.6, 1.8, 9.0]
    records = {(OLD.id, 1): run(*drifting), (NEW.id, 1): run(*(time / 2 for time in drifting[:5]))}
    ratio = relate(records, ON)
    assert ratio
    assert 2 < ratio.low < ratio.high < 2.3
    assert relate({**records, (NEW.id, 1): run(1, 1, 1, 1)}, ON) is None
    assert relate({}, ON) is None


@pytest.mark.parametrize(
    ("low", "high", "decided", "settled"),
    [
        (0.96, 1.04, True, True),
        (0.94, 1.04, False, False),
        (0.99, 1.06, False, False),
        (1.8, 2.1, True, True),
        (1.1, 2.1, True, False),
        (0.7, 0.75, True, True),
    ],
)
def test_decided_is_what_differs_for_sure_or_by_less_than_a_twentieth(
    low: float, high: float, decided: bool, settled: bool
) -> None:
    ratio = Estimate(median=(low * high) ** 0.5, low=low, high=high)
    assert (is_decided(ratio), is_narrow(ratio)) == (decided, settled)


def test_what_is_not_measured_is_not_settled() -> None:
    assert not is_narrow(None)
