"""What has moved is told where it was: in the page that had it, or by a page in its place."""

import json
from pathlib import Path

from scripts.site.declare.addresses import Addresses
from scripts.site.page.addresses import show_moved, write_moved
from scripts.site.render.words import load_words

KNOWN = Addresses(moved={"a/b/": "c/", "a/b/#x": "d/#y", "c/#z": "#w"})


def test_a_page_tells_its_script_which_anchors_have_moved() -> None:
    shown = show_moved(KNOWN, "c/")
    assert json.loads(shown.partition(">")[2].removesuffix("</script>")) == {"z": "../#w"}
    assert show_moved(KNOWN, "d/") == ""


def test_where_a_page_was_a_page_leads_on_with_and_without_script(tmp_path: Path) -> None:
    write_moved(KNOWN, tmp_path, load_words("en"))
    text = (tmp_path / "a" / "b" / "index.html").read_text(encoding="utf-8")
    assert '"": "../../c/"' in text
    assert '"x": "../../d/#y"' in text
    assert 'http-equiv="refresh" content="0; url=../../c/"' in text
    assert [path.name for path in tmp_path.rglob("*.html")] == ["index.html"]
