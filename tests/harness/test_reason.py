"""Reasons are codes with parameters, and are read again as they were written."""

from typing import get_args

import msgspec
import pytest

from scripts.harness.declaration import PLACES, Code, Reason

CODES = get_args(Code)


def make(code: Code) -> Reason:
    return Reason(code, dict.fromkeys(PLACES.get(code, ()), "x"))


@pytest.mark.parametrize(
    "written",
    [b'{"code":"oh"}', b'{"code":"exited"}', b'{"code":"needs-gil","params":{"a":"b"}}'],
)
def test_an_unknown_code_and_other_parameters_are_refused(written: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(written, type=Reason)


def test_a_reason_that_was_written_is_read_again() -> None:
    for reason in map(make, CODES):
        assert msgspec.json.decode(msgspec.json.encode(reason), type=Reason) == reason
