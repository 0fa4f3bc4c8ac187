"""What all tests share: how they are spread over processes."""

import pytest


@pytest.hookimpl(tryfirst=True)  # before xdist reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share a fixture of their module run in one process, which sets it up once."""
    for item in items:
        fixtures = getattr(item, "_fixtureinfo", None)
        found = fixtures.name2fixturedefs.values() if fixtures else ()
        if any(one[-1].scope == "module" for one in found if one):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
