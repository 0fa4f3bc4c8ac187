"""Where the time of a build goes is told stage by stage."""

import pytest

from bench import speed


def test_each_stage_of_a_build_is_held_against_its_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stages_s = dict.fromkeys(speed.STAGES, 0.01) | {"judging": 1.0}
    monkeypatch.setattr(speed, "time_stages", lambda *_: stages_s)
    monkeypatch.setattr(speed, "time_saves", lambda *_: [1.0])
    found = {one.what.rpartition(" of ")[2]: one.kept for one in speed.time_editing()}
    assert [stage for stage in speed.STAGES if not found[stage]] == ["judging"]
