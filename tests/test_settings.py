"""Settings come from the environment; a value that means nothing names the possible ones."""

import pytest

from scripts.settings import BadSetting, Settings, read_settings


def test_without_variables_the_profile_is_quick() -> None:
    assert read_settings({}) == Settings(profile="quick")


def test_variables_are_taken() -> None:
    settings = read_settings({"PROFILE": "full", "FRESH": "1", "ONLY": "matrix", "MEASURE": "0"})
    assert settings == Settings(profile="full", fresh=True, only="matrix", measure=False)


def test_an_empty_variable_counts_as_absent() -> None:
    assert read_settings({"PROFILE": "", "FRESH": "", "INTERPRETERS": ""}) == Settings()


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
