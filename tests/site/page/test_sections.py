"""Each section of a page knows on which page it belongs."""

from pathlib import Path

import pytest

from scripts.site.page.sections import Section, place_sections, read_source, split

PAGE = """# Lab {#top}

Intro.

## Programs {#programs}

### 01 · one {#p01}

```python exec="on" html="true" id="one"
### no heading {#p99}
print(show.claim("one-wins"))
```

#### Deeper {#deep}

## Code {#code}

### 02 · two {#p02}

```python exec="on" html="true" id="two"
print(show.program("lab/02-two.py"))
```

### Profiles {#profiles}

Sizes.
"""


def place(text: str, patterns: str = "") -> dict[str, Section]:
    return {one.id: one for one in place_sections(split(text), "lab.md", patterns)}


def test_a_section_that_the_page_names_takes_what_is_below_it() -> None:
    found = place(PAGE, "q* p0[01]")
    assert (found["p01"].page, found["p01"].begins) == ("lab/p01.md", True)
    assert (found["deep"].page, found["deep"].begins) == ("lab/p01.md", False)
    assert [one.id for one in found["deep"].above] == ["top", "programs", "p01"]


def test_programs_below_the_heading_of_the_code_share_a_page() -> None:
    found = place(PAGE)
    assert found["p02"].page == "lab/code.md"
    assert found["p02"].is_program
    assert {found[id_].page for id_ in ("top", "p01", "deep", "code", "profiles")} == {"lab.md"}


def test_a_section_brings_its_claims_along() -> None:
    assert place(PAGE)["p01"].anchors == ["p01", "claim-one-wins"]


@pytest.mark.parametrize("mark", ["```", "~~~"])
def test_a_fence_ends_with_the_marks_it_began_with(mark: str) -> None:
    other = "~~~" if mark == "```" else "```"
    fence = f"{mark}text\n{other}\n## no heading {{#p99}}\n{other}\n{mark}\n"
    assert list(place(f"# Lab {{#top}}\n\n{fence}")) == ["", "top"]


def test_a_source_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "lab.md"
    path.write_text(f"---\nsections: p01\n---\n{PAGE}", encoding="utf-8")
    assert read_source(tmp_path, "lab.md").locate("claim-one-wins") == "lab/p01.md"
    path.write_text("# Lab {#top}\n", encoding="utf-8")
    assert read_source(tmp_path, "lab.md").locate("claim-one-wins") == ""


def test_front_matter_that_is_no_yaml_names_its_file(tmp_path: Path) -> None:
    text = "---\ntitle: Lab\ndescription: one: two\n---\n\n# Lab {#top}\n"
    (tmp_path / "lab.md").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"lab\.md:1: the front matter is no YAML"):
        read_source(tmp_path, "lab.md")
