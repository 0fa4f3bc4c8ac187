"""What all tests share: how they are spread over processes."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

APART = ("examples", "browser")
"""Folders of tests that take long one by one."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: "Producer") -> "LoadScopeScheduling":
    """Tests of a file run in one process, which imports and sets up once what they share.

    Those that take long run wherever there is room, unless they share a fixture of their module.
    Few groups are also soon handed out: what is pending is counted anew at the end of each test.
    Marks do not serve: the groups of pytest-xdist 3.8 are lost on pytest 9.2.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return file if is_together(file) else nodeid

    return Groups(config, log)


@cache
def is_together(file: str) -> bool:
    """Whether the tests of a file, by its path from the root, have to run in one process."""
    path = Path(__file__).parents[1] / file
    is_short = not set(APART).intersection(path.parts)
    return is_short or 'scope="module"' in path.read_text(encoding="utf-8")
