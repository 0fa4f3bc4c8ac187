"""A page's policy lets those scripts run that stand around its text, and none in it."""

import base64
import hashlib
import re

from scripts.site.render.policy import add_policy, loosen_policy

PAGE = """<!doctype html><html><head>
<meta charset="utf-8">
<script>head()</script></head><body>
<article class="text"><script>printed()</script><script>copy()</script></article><article>
</article><script>after()</script></body></html>"""


def digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def read_policy(page: str) -> dict[str, list[str]]:
    (told,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    return {name: sources for name, *sources in map(str.split, told.split(";"))}


def test_scripts_around_the_text_run_and_those_in_it_do_not() -> None:
    sources = read_policy(add_policy(PAGE))["script-src"]
    assert sources == ["'self'", "'wasm-unsafe-eval'", digest("head()"), digest("after()")]
    textless = '<meta charset="utf-8"><script>lead()</script>'
    assert digest("lead()") in read_policy(add_policy(textless))["script-src"]


def test_the_policy_stands_before_all_that_it_is_about_and_changes_nothing_else() -> None:
    page = add_policy(PAGE)
    assert page.index("http-equiv") < page.index("<script>")
    assert re.sub(r"\n<meta http-equiv[^>]*>", "", page) == PAGE


def test_nothing_comes_from_elsewhere_and_files_only_where_a_page_is_one() -> None:
    online = read_policy(add_policy(PAGE))
    assert online["default-src"] == ["'self'"]
    assert {*online["object-src"], *online["base-uri"]} == {"'none'"}
    offline = read_policy(loosen_policy(add_policy(PAGE)))
    assert offline.keys() == online.keys()
    assert {"file:", "blob:"} <= {*offline["script-src"]}
    assert not any("http" in one or one == "'unsafe-eval'" for one in offline["script-src"])
