"""What all tests share: how they are spread over processes."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

APART = (
    "scripts/poolwise/tests/test_cases.py",
    "tests/examples/",
    "tests/browser/test_pages.py",
    "tests/browser/test_search.py",
)
"""Tests that take long one by one and share nothing: they run wherever there is room."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: "Producer") -> "LoadScopeScheduling":
    """Run the tests of a file in one process, which imports and sets up once what they share.

    Few groups are also soon handed out: what is pending is counted anew at the end of each test.
    Marks do not serve: the groups of pytest-xdist 3.8 are lost on pytest 9.2.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid if nodeid.startswith(APART) else nodeid.partition("::")[0]

    return Groups(config, log)
