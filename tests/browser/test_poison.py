"""Nothing in a record, a declaration or an original is anything but text on the pages."""

import functools
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from msgspec import structs
from playwright.sync_api import Browser

from scripts.site.page.root import write_parts
from tests.browser import poison
from tests.browser.visitor import LANGUAGES, Site, Visitor
from tests.factories import replace

ROOT = Path(__file__).parents[2]
WIDTHS = (360, 1280)
BAD = (
    """
```python exec="on" html="true"
open({flag!r}, "w")
```
````````
~~~python exec="on"
open({flag!r}, "w")
~~~

"'></code></pre></td></table></div></article><script>window.__poisoned = 1</script>
<img src=x onerror="window.__poisoned = 1">&lt;b&gt; {{{{ 7*7 }}}} {{% raw %}} {{cores}} %s
# $x_$ ](x) \u202e \u0002wzxhzdk:0\u0003 \u000260\u0003 \u001b[31m id="top" font-family: x; #010101
    four spaces

"""
    + "x" * 2_000
)
SKELETON = """() => [...document.querySelectorAll(
    "body > *, .md-container > *, .md-main > *, .md-main__inner > *, .md-content > *, article > *"
)].map((one) => one.tagName + "." + (one.classList[0] || ""))"""
CONFIG = """\
INHERIT: {root}/{base}
docs_dir: {folder}/docs
nav: [{nav}]
strict: false
theme: {{custom_dir: {root}/docs/theme}}
hooks: [{root}/scripts/site/page/hooks.py]
validation: {{links: {{not_found: info, anchors: info, unrecognized_links: info}}}}
"""


@dataclass(frozen=True, slots=True)
class Built:
    """A site in every language, what its builds said, and the file that a run fence would make."""

    visitor: Visitor
    said: str
    flag: Path


Build = Callable[[str], Built]


@pytest.fixture(scope="module")
def build(
    tmp_path_factory: pytest.TempPathFactory, browser: Browser, plain_environment: dict[str, str]
) -> Iterator[Build]:
    """Builds the site of ``tests.site.poison`` with an ending of all strings, once."""
    folder = tmp_path_factory.mktemp("poison")
    handler = functools.partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        @functools.cache
        def make(ending: str) -> Built:
            place = folder / f"site-{len(list(folder.iterdir()))}"
            flag = place / "poisoned"
            (place / "docs").mkdir(parents=True)
            (place / "ending.txt").write_text(ending.format(flag=str(flag)), encoding="utf-8")
            (place / "docs" / "blocks.md").write_text(poison.write_page(), encoding="utf-8")
            shutil.copy(ROOT / "docs" / "en" / "notebook.ipynb", place / "docs")
            builds = [_begin_build(place, language, plain_environment) for language in LANGUAGES]
            said = "".join(map(_end_build, builds))
            evidence = poison.make_evidence(place / "lab", (place / "ending.txt").read_text())
            lab = structs.replace(evidence.experiment, name="lab")
            write_parts(place / "site" / "data" / "explore", [[replace(evidence, experiment=lab)]])
            url = f"http://127.0.0.1:{server.server_port}/{place.name}/site/"
            site = Site(folder=place / "site", url=url, public_url=url, records=place)
            return Built(Visitor(browser=browser, site=site), said, flag)

        yield make
        server.shutdown()


def test_every_block_that_pages_can_show_is_tried() -> None:
    assert set(poison.CALLS) == poison.list_functions()


def test_every_string_of_what_is_shown_is_poisoned(tmp_path: Path) -> None:
    evidence = poison.make_evidence(tmp_path, "!")
    claims = [poison.poison(one, "!") for one in poison.make_claims()]
    records = [one.record for one in evidence.judgements]
    sources = (evidence.experiment, evidence.machine, *evidence.interpreters)
    strings = list(poison.list_strings([records, sources, claims]))
    assert len(strings) > 500
    assert [one for one in strings if one.rstrip("x") and not one.rstrip("x").endswith("!")] == []


def test_no_fence_of_a_string_is_run_and_no_block_fails(build: Build) -> None:
    built = build(BAD)
    assert not built.flag.exists()
    assert ".md: fence " not in built.said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", ["blocks", "notebook"])
def test_a_page_shows_it_as_text_and_keeps_its_shape(
    build: Build, page: str, language: str
) -> None:
    path = f"{language}/{page}/"
    with build("").visitor.open(path) as opened:
        skeleton = opened.evaluate(SKELETON)
    with build(BAD).visitor.open(path, color_scheme="light") as opened:
        for width in WIDTHS:
            opened.set_viewport_size({"width": width, "height": 800})
            assert opened.evaluate("window.__poisoned") is None
            assert opened.evaluate(SKELETON) == skeleton
            assert opened.evaluate("document.documentElement.scrollWidth") <= width


def _begin_build(folder: Path, language: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    base = "mkdocs.yml" if language == "en" else f"mkdocs.{language}.yml"
    nav = ", ".join(path.name for path in sorted((folder / "docs").iterdir()))
    config = folder / f"mkdocs.{language}.yml"
    config.write_text(CONFIG.format(root=ROOT, base=base, folder=folder, nav=nav))
    command = [sys.executable, "-m", "tests.site.poison", "build", "--config-file", str(config)]
    return subprocess.Popen(
        [*command, "--site-dir", str(folder / "site" / language)],
        cwd=ROOT,
        env=environment | {"POISON": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _end_build(building: subprocess.Popen[str]) -> str:
    """What MkDocs said."""
    said, _ = building.communicate()
    assert building.returncode == 0, said[-5000:]
    return said


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: tests report what went wrong."""
