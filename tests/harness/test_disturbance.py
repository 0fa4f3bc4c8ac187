"""What others took of the machine is what was busy beyond what is ours."""

import pytest

from scripts.harness.samplers import Usage, find_shares, list_busy


def usage(at_s: float, busy_s: float, stolen_s: float | None = 0.0) -> Usage:
    stolen = None if stolen_s is None else (stolen_s / 2, stolen_s / 2)
    return Usage(at_s=at_s, busy_s=(busy_s / 2, busy_s / 2), stolen_s=stolen)


def test_what_is_busy_or_stolen_on_other_cores_takes_nothing_from_a_program() -> None:
    before = Usage(at_s=0, busy_s=(1.0, 5.0), stolen_s=(0.0, 2.0))
    after = Usage(at_s=2, busy_s=(3.0, 7.0), stolen_s=(0.5, 3.0))
    assert find_shares(before, after, 1.0, (0,)) == (0.25, 0.5)
    assert find_shares(before, after, 1.0, (0, 1)) == (0.75, 1.5)
    unknown_id = (7,)
    assert find_shares(before, after, 1.0, unknown_id) == (0.75, 1.5)


def test_what_rounding_leaves_is_no_time_that_others_took() -> None:
    before, after = usage(at_s=0, busy_s=0.0), usage(at_s=1, busy_s=0.1 + 0.2)
    assert find_shares(before, after, 0.3) == (0.0, 0.0)


def test_how_busy_each_core_was_is_told_of_those_that_stayed() -> None:
    before, after = (
        Usage(at_s=0, busy_s=busy_s, stolen_s=(0,)) for busy_s in ((1, 5, 2), (3, 5.5))
    )
    assert list_busy(before, after) == [2, 0.5]


@pytest.mark.parametrize("known", [(None, None), (None, 1.0), (0.0, None)])
def test_where_nobody_counts_what_is_stolen_it_is_unknown(
    known: tuple[float | None, float | None],
) -> None:
    before, after = known
    assert find_shares(usage(0, 1, before), usage(1, 1, after), 0.0) == (None, 0.0)
