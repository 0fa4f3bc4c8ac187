"""A page's policy lets nothing come from elsewhere; what it stops is tested with a browser."""

import re

from scripts.site.render.policy import add_policy, loosen_policy

PAGE = '<!doctype html><html><head><meta charset="utf-8"></head><body></body></html>'


def read_policy(page: str) -> dict[str, list[str]]:
    (told,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    return {name: sources for name, *sources in map(str.split, told.split(";"))}


def test_nothing_comes_from_elsewhere_and_files_only_where_a_page_is_one() -> None:
    online = read_policy(add_policy(PAGE))
    assert online["default-src"] == ["'self'"]
    assert {*online["object-src"], *online["base-uri"]} == {"'none'"}
    offline = read_policy(loosen_policy(add_policy(PAGE)))
    assert offline.keys() == online.keys()
    assert {"file:", "blob:"} <= {*offline["script-src"]}
    assert not any("http" in one or one == "'unsafe-eval'" for one in offline["script-src"])
