"""No page keeps anyone out: axe has nothing serious to say in either colour scheme."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.site.visitor import EVERY_PAGE, SCHEMES, Visitor


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("path", EVERY_PAGE)
def test_a_page_keeps_to_the_colours_asked_for_and_axe_finds_nothing_serious(
    visitor: Visitor, path: str, scheme: str
) -> None:
    with visitor.open(path, color_scheme=scheme) as page:
        used = page.locator("body").get_attribute("data-md-color-scheme")
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert used == {"light": "default", "dark": "slate"}[scheme]
    serious = [
        f"{violation['id']}: {node['target']}: {node['failureSummary']}"
        for violation in found
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"][:3]
    ]
    assert serious == []
