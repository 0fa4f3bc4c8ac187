"""What is still open is counted, also before anything is measured."""

import pytest

from scripts.site.judge.needs import count_open
from tests.factories import make_record, make_variant
from tests.site.judge.test_findings import FASTER, PLAIN, POOL
from tests.site.render.markup import make_evidence


def test_before_anything_is_measured_every_claim_is_open() -> None:
    assert count_open([FASTER, FASTER], make_evidence([])) == 2


@pytest.mark.parametrize(("pool_s", "opened"), [([1.0, 1.01, 1.02], 0), ([1.0, 2.0, 9.0], 1)])
def test_of_what_is_measured_the_checks_that_nothing_decides_are(
    pool_s: list[float], opened: int
) -> None:
    records = [
        make_record(make_variant(program=PLAIN), [3.0, 3.01, 3.02]),
        make_record(make_variant(program=POOL), pool_s),
    ]
    assert count_open([FASTER], make_evidence(records)) == opened
