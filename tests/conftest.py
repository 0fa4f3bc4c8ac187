"""What all tests share: how they are spread over processes."""

import pytest

APART = ("examples", "site")
"""Folders of tests that take long one by one."""


@pytest.hookimpl(tryfirst=True)  # before xdist reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of a file run in one process, which imports and sets up once what they share.

    Those that take long run wherever there is room, unless they share a fixture of their module.
    Few groups are also soon handed out: what is pending is counted anew at the end of each test.
    """
    for item in items:
        fixtures = getattr(item, "_fixtureinfo", None)
        found = fixtures.name2fixturedefs.values() if fixtures else ()
        is_shared = any(one[-1].scope == "module" for one in found if one)
        if is_shared or not set(APART).intersection(item.path.parts):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
