"""Pages are plain files before MkDocs runs, and every link and address leads to where things are."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from mkdocs.config.defaults import MkDocsConfig

from scripts.site.declare.addresses import Addresses
from scripts.site.page import context, publish
from scripts.site.page.language import join_styles

LAB = """---
title: Lab
description: A lab
sections: p01
sibling: 123
---

# Lab {#top}

See [one](#p01), [two](#p02), [rules](theory/rules.md#rules), [a claim](#claim-one-wins) — here.

### 01 · one {#p01}

Plain; see [why](#why), [rules](theory/rules.md#rules) and [itself](#deep).

#### Deeper {#deep}

## Why {#why}

??? question "Answer"
    Because of 10 000 tasks, 5 ms each, and `x — 5 ms`.

## Code {#code}

### 02: `two` {#p02}

Second. And more.

```python exec="on" html="true" id="p02"
from scripts.site.page import show
print(show.program("lab/02-two.py"))
```

```python exec="on" html="true" id="one-wins"
from scripts.site.page import show
print(show.claim("one-wins"))
```

```python exec="on" html="true" id="tasks"
from scripts.site.page import show
print(show.program("lab/tasks.py"))
```
"""
RULES = "---\ntitle: Rules\n---\n\n# Rules {#rules}\n\n[two](../lab.md#p02)\n"
KNOWN = Addresses(moved={"gone/": "lab/", "gone/#x": "lab/code/#p02", "lab/#old": "lab/#why"})


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, str]]:
    """Publish two pages; what was written by the names of files."""
    docs = tmp_path / "docs"
    (docs / "theory").mkdir(parents=True)
    (docs / "lab.md").write_text(LAB, encoding="utf-8")
    (docs / "theory" / "rules.md").write_text(RULES, encoding="utf-8")
    folder = tmp_path / "examples"
    folder.mkdir()
    (folder / "02-two.py").write_text("print(2)\n", encoding="utf-8")
    two = SimpleNamespace(name="02-two")
    lab = SimpleNamespace(folder=folder, originals=(), programs=(two,), navigation=None)
    pipeline = SimpleNamespace(experiments={"lab": lab})
    checked = {"one-wins": SimpleNamespace(checks=[SimpleNamespace(status="refuted", cores=2)])}
    monkeypatch.setattr(publish, "open_pipeline", lambda: pipeline)
    monkeypatch.setattr(publish, "check_all", lambda: checked)
    pins = {"trio": ["trio==0.33"], "gevent": ["gevent==25.9"]}
    monkeypatch.setattr(publish, "find_all_packages", lambda lab: pins)
    monkeypatch.setattr(publish, "read_addresses", lambda: KNOWN)
    monkeypatch.setattr(publish, "_claimed", {})

    def run(*, anew: bool = False) -> dict[str, str]:
        build = tmp_path / "build"
        folder, _ = publish.publish(docs, build, "en", more={"assets/all.css": "a{}"}, anew=anew)
        assert folder == build
        files = [path for path in build.rglob("*") if path.is_file()]
        return {path.relative_to(build).as_posix(): path.read_text("utf-8") for path in files}

    yield run
    context.use_docs(context.DOCS / "en")


def test_links_lead_to_where_their_targets_stand_now(write: Callable[..., dict[str, str]]) -> None:
    files = write()
    assert "[one](lab/p01.md#p01), [two](lab/code.md#p02), [rules](theory" in files["lab.md"]
    assert "[two](../lab/code.md#p02)" in files["theory/rules.md"]
    assert "[why](../lab.md#why)" in files["lab/p01.md"]
    assert "[rules](../theory/rules.md#rules) and [itself](#deep)" in files["lab/p01.md"]


def test_a_link_to_a_claim_tells_whether_it_holds_here(
    write: Callable[..., dict[str, str]],
) -> None:
    assert (
        '[<span aria-hidden="true">✖</span>\N{NO-BREAK SPACE}a claim](lab/code.md#claim-one-wins)'
        '{.claim-link .claim-refuted title="refuted"}\N{NO-BREAK SPACE}— here.'
    ) in write()["lab.md"]


def test_a_page_keeps_a_link_for_each_section_with_the_ids_that_went_along(
    write: Callable[..., dict[str, str]],
) -> None:
    home = write()["lab.md"]
    assert '- [01 · one](lab/p01.md){#p01 .section}<i id="deep"></i><br>Plain; see why' in home
    line = '- [02: `two`](lab/code.md#p02){#p02 .section}<i id="claim-one-wins"></i><br>Second.\n'
    assert line in home
    assert "show.program" not in home
    assert "sibling" not in home


def test_a_section_has_its_title_its_crumbs_and_its_headings_raised(
    write: Callable[..., dict[str, str]],
) -> None:
    page = write()["lab/p01.md"]
    assert page.startswith('---\ntitle: "01 · one"\ndescription: "Plain; see why')
    assert "# 01 · one {#p01}\n\n[Lab](../lab.md#top)\n" in page
    assert "\n## Deeper {#deep" in page


def test_programs_stand_whole_on_one_page_with_what_is_known_of_them(
    write: Callable[..., dict[str, str]],
) -> None:
    page = write()["lab/code.md"]
    parts = [
        "python -m pip install gevent trio\n",
        "## 02: `two` {#p02}",
        "Second.",
        'show.program("lab/02-two.py", folded=False)',
    ]
    parts += ['show.claim("one-wins")', 'show.program("lab/tasks.py")']
    parts += ["show.sheet(\"lab/02-two.py\", but=['one-wins'])"]
    text = page.partition("\n---\n")[2]
    places = [text.index(one) for one in parts]
    assert places == sorted(places)


def test_every_fence_says_where_it_stands(write: Callable[..., dict[str, str]]) -> None:
    page = write()["lab/code.md"]
    assert page.count("import show") == page.count('show = show.enter("en", "lab/code.md")') == 4


def test_where_a_page_or_a_place_was_something_leads_on(
    write: Callable[..., dict[str, str]],
) -> None:
    files = write()
    moved = files["gone/index.html"]
    assert '"": "../lab/"' in moved
    assert '"x": "../lab/code/#p02"' in moved
    assert 'http-equiv="refresh" content="0; url=../lab/"' in moved
    assert '{"old": "../lab/#why"}</script>' in files["lab.md"]
    assert "moved-anchors" not in files["theory/rules.md"]


def test_only_what_has_changed_is_written_again(
    write: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    (tmp_path / "build" / "old").mkdir(parents=True)
    (tmp_path / "build" / "old" / "page.md").write_text("# Old\n")
    files = write()
    assert "old/page.md" not in files
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "build").rglob("*.md")}
    rules = tmp_path / "docs" / "theory" / "rules.md"
    rules.write_text(RULES + "\nMore.\n", encoding="utf-8")
    write()
    newer = [path.name for path, time_ns in times.items() if path.stat().st_mtime_ns > time_ns]
    assert newer == ["rules.md"]
    write(anew=True)
    assert all(path.stat().st_mtime_ns > time_ns for path, time_ns in times.items())


def test_a_style_sheet_joins_the_themes_and_ours_in_their_order(tmp_path: Path) -> None:
    for name in ("stylesheets/palette.0a1b.min", "stylesheets/main.2c3d.min", "b", "a"):
        path = tmp_path / "assets" / f"{name}.css"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    config = MkDocsConfig()
    config["theme"] = SimpleNamespace(dirs=[str(tmp_path)])
    config["extra_css"] = ["assets/b.css", "assets/a.css"]
    joined = join_styles(config).split("\n")
    assert joined == ["stylesheets/main.2c3d.min", "stylesheets/palette.0a1b.min", "b", "a"]
    config["extra_css"] = ["assets/gone.css"]
    with pytest.raises(FileNotFoundError, match=r"gone\.css"):
        join_styles(config)
