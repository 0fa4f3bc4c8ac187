"""A page falls into headings, fences and paragraphs, and what is code is none of the others."""

import pytest

from scripts.site.check.pages import Fence, Heading, Paragraph, split


def parse(text: str) -> list[Heading | Fence | Paragraph]:
    return list(split(list(enumerate(text.splitlines(), start=1))))


def paragraph(*lines: tuple[int, str]) -> Paragraph:
    return Paragraph(lines)


def test_the_parts_come_in_their_order_with_their_lines() -> None:
    assert parse("# One {#one}\n\nText,\nmore.\n\n```python\nx = 1\n\ny = 2\n```\nLast.") == [
        Heading(1, "one"),
        paragraph((1, "# One {#one}")),
        paragraph((3, "Text,"), (4, "more.")),
        Fence(6, "python", "x = 1\n\ny = 2"),
        paragraph((11, "Last.")),
    ]


@pytest.mark.parametrize(
    ("line", "id_"), [("# One", ""), ("###### One {#one-two}", "one-two"), ("## `a{b}` {#c} ", "c")]
)
def test_a_heading_has_an_id_only_if_it_names_one(line: str, id_: str) -> None:
    assert parse(line)[0] == Heading(1, id_)


def test_a_fence_may_stand_inside_a_list_and_straight_after_text() -> None:
    item, fence = parse("- item\n    ```python\n    x\n    ```")
    assert item == paragraph((1, "- item"))
    assert isinstance(fence, Fence)
    assert (fence.line, fence.code) == (2, "x")
