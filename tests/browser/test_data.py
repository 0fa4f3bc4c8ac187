"""What the pages were made of is published whole, under the names that others rely on."""

import csv
import json
import re
from html import unescape
from typing import Any
from urllib.parse import urljoin
from urllib.request import urlopen

import pytest

from tests.browser.made_up import CONTRIBUTED_MACHINE
from tests.browser.pages import LANGUAGES, Site

PROVENANCE = re.compile(r'<p class="[^"]*\bprovenance\b.*?</p>', re.DOTALL)
# A gain of a hundred and more: made-up ones are below ten.
FORGED = re.compile("×[1-9]\\d*[,\u00a0\u202f]?\\d{2}\\d")
LEAST_LINKS = 7
DOCUMENT = {"schema", "protocol", "generated_at", "profile", "machines", "interpreters", "rows"}
ROW = {
    *("experiment", "program", "family", "machine", "interpreter", "gil", "start_method", "cores"),
    *("workers", "tasks", "params", "status", "reason", "wall_s", "inside_s", "readings", "user_s"),
    *("system_s", "cpu_share", "peak_pss_bytes", "max_rss_bytes", "server_share", "wall_median_s"),
    *("wall_interval_s", "noise", "floor_s", "verdict", "measured_at"),
}


@pytest.fixture(scope="module")
def data(site: Site) -> dict[str, Any]:
    return dict(json.loads((site.folder / "data" / "results.json").read_text(encoding="utf-8")))


def test_the_data_has_the_fields_others_rely_on(data: dict[str, Any]) -> None:
    assert data.keys() >= DOCUMENT
    assert (data["schema"], data["profile"]) == (2, "quick")
    assert [ROW - row.keys() for row in data["rows"] if not row.keys() >= ROW] == []
    assert {row["machine"] for row in data["rows"]} == {one["id"] for one in data["machines"]}
    assert {row["interpreter"] for row in data["rows"]} <= {
        one["id"] for one in data["interpreters"]
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_data_beside_charts_and_tables_can_be_had(
    site: Site, data: dict[str, Any], language: str
) -> None:
    told = "".join(PROVENANCE.findall(site.read(f"{language}/matrix/")))
    links = [unescape(link) for link in re.findall('href="([^"]+)"', told)]
    assert len(links) >= LEAST_LINKS
    for link in sorted(set(links)):
        with urlopen(urljoin(f"{site.url}{language}/matrix/", link)) as answer:
            text = answer.read().decode()
        if link.endswith("/results.json"):
            assert json.loads(text) == data
        elif link.endswith(".json"):
            assert json.loads(text)["schema"] == 1
        elif link.endswith(".svg"):
            assert text.startswith("<svg")
        else:
            rows = list(csv.DictReader(text.splitlines()))
            assert rows
            assert rows[0].keys() >= ROW


def test_what_strangers_sent_is_on_machines_and_nowhere_else(site: Site) -> None:
    texts = {
        path.relative_to(site.folder).as_posix(): path.read_text(encoding="utf-8")
        for path in site.folder.rglob("*")
        if path.suffix in (".html", ".txt", ".json", ".csv", ".svg")
    }
    homes = tuple(f"{language}/machines/" for language in LANGUAGES)
    names = [name for name, text in texts.items() if CONTRIBUTED_MACHINE in text]
    pages = {name for name in names if name.endswith(".html")}
    assert pages == {f"{home}index.html" for home in homes}
    assert [name for name in names if not name.startswith((*homes, "data/contributed/"))] == []
    for language in LANGUAGES:
        for page in ("native", "modulo", "claims", "explore", "machines"):
            assert not FORGED.search(texts[f"{language}/{page}/index.html"])
