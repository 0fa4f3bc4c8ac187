"""Sections: fences are whole, sources are read again, and front matter that is none is named."""

from pathlib import Path

import pytest

from scripts.site.page.sections import read_source, split


@pytest.mark.parametrize(("mark", "other"), [("```", "~~~"), ("~~~", "```")])
def test_a_fence_ends_with_the_marks_it_began_with(mark: str, other: str) -> None:
    fence = f"{mark}text\n{other}\n## no heading {{#p99}}\n{other}\n{mark}\n"
    assert [one.id for one in split(f"# Lab {{#top}}\n\n{fence}")] == ["", "top"]


def test_a_source_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "lab.md"
    claim = '```python exec="on" html="true" id="one"\nprint(show.claim("one"))\n```\n'
    path.write_text(f"---\nsections: q* p0[01]\n---\n# Lab {{#top}}\n## A {{#p01}}\n{claim}")
    assert read_source(tmp_path, "lab.md").locate("claim-one") == "lab/p01.md"
    path.write_text("# Lab {#top}\n")
    assert read_source(tmp_path, "lab.md").locate("claim-one") == ""


def test_a_byte_order_mark_and_the_ends_of_lines_of_windows_change_no_source(
    tmp_path: Path,
) -> None:
    text = "---\ntitle: Lab\nsections: p*\n---\n\n# Lab {#top}\n\n## A {#p01}\n\nText.\n"
    for name, data in (("a", text), ("b", "\ufeff" + text.replace("\n", "\r\n"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lab.md").write_bytes(data.encode())
    assert read_source(tmp_path / "b", "lab.md") == read_source(tmp_path / "a", "lab.md")


def test_front_matter_that_is_no_yaml_names_its_file(tmp_path: Path) -> None:
    text = "---\ntitle: Lab\ndescription: one: two\n---\n\n# Lab {#top}\n"
    (tmp_path / "lab.md").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"lab\.md:1: the front matter is no YAML"):
        read_source(tmp_path, "lab.md")
