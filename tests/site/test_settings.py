"""Settings come from the environment; a value that means nothing names the possible ones."""

import pytest

from scripts.site.settings import BadSetting, read_settings


@pytest.mark.parametrize("fresh", ["0", "1"])
def test_where_measuring_is_forbidden_nothing_is_measured_anew_either(fresh: str) -> None:
    assert read_settings({"MEASURE": "0", "FRESH": fresh}).measure == "nothing"


@pytest.mark.parametrize(
    ("name", "value", "possible"),
    [
        ("PROFILE", "huge", "smoke, quick, full"),
        ("FRESH", "yes", "0, 1"),
        ("MEASURE", "2", "0, 1"),
        ("FAILURES", "ignore", "stop, tell"),
    ],
)
def test_an_unknown_value_names_the_possible_ones(name: str, value: str, possible: str) -> None:
    with pytest.raises(BadSetting, match=rf"{name}={value} is not known; possible: {possible}"):
        read_settings({name: value})
