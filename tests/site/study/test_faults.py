"""The record of a campaign of faults is read as it was written, or told to be damaged."""

from pathlib import Path

import msgspec
import pytest

from making import NOW
from poolwise.store import DamagedRecords
from scripts.site.study.faults import Campaign, Tally, read_campaign


def test_a_campaign_is_read_as_it_was_written_or_told_to_be_damaged(tmp_path: Path) -> None:
    path = tmp_path / "faults.json"
    assert read_campaign(path) is None
    campaign = Campaign(ran_at=NOW, tallies=(Tally(kind="killed", tried=8, lost=1),))
    path.write_bytes(msgspec.json.encode(campaign))
    assert read_campaign(path) == campaign
    for text in ("{", "[]", '{"ran_at": 1}'):
        path.write_text(text)
        with pytest.raises(DamagedRecords, match=f"^{path}: "):
            read_campaign(path)


def test_the_shipped_one_has_cost_nothing() -> None:
    campaign = read_campaign()
    assert campaign
    assert {tally.lost for tally in campaign.tallies} == {0}
