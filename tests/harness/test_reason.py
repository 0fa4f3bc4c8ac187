"""Reasons are codes with parameters, and are read again as they were written."""

import msgspec
import pytest

from scripts.harness.declaration import Reason


@pytest.mark.parametrize(
    "written",
    [b'{"code":"oh"}', b'{"code":"exited"}', b'{"code":"needs-gil","params":{"a":"b"}}'],
)
def test_an_unknown_code_and_other_parameters_are_refused(written: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(written, type=Reason)
