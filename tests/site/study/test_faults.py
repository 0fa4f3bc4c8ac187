"""The record of a campaign of faults is read as it was written, or told to be damaged."""

from pathlib import Path

import msgspec
import pytest

from making import NOW
from poolwise.store import DamagedRecords
from scripts.site.study.faults import PATH, Campaign, Tally, read_campaign

CAMPAIGN = Campaign(ran_at=NOW, tallies=(Tally(kind="killed", tried=8, lost=1),))


def test_a_campaign_is_read_as_it_was_written_and_before_the_first_there_is_none(
    tmp_path: Path,
) -> None:
    path = tmp_path / PATH.name
    assert read_campaign(path) is None
    path.write_bytes(msgspec.json.encode(CAMPAIGN))
    assert read_campaign(path) == CAMPAIGN


@pytest.mark.parametrize("text", ["{", "[]", '{"ran_at": 1}'])
def test_a_damaged_one_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / PATH.name
    path.write_text(text)
    with pytest.raises(DamagedRecords, match=f"^{path}: "):
        read_campaign(path)


def test_the_shipped_one_has_cost_nothing() -> None:
    campaign = read_campaign()
    assert campaign
    assert {tally.lost for tally in campaign.tallies} == {0}
