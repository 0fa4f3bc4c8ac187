"""The bench tells how sure its rates are."""

import pytest

from bench.benchmark import estimate_share


@pytest.mark.parametrize(
    ("count", "of", "interval"),
    [(19, 20, (0.764, 0.991)), (0, 10, (0.0, 0.278)), (81, 263, (0.255, 0.366))],
)
def test_a_share_has_the_interval_of_published_examples(
    count: int, of: int, interval: tuple[float, float]
) -> None:
    assert estimate_share(count, of) == pytest.approx(interval, abs=1e-3)
