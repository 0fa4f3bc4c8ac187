"""Long sentences of a page are found; code, quotations, tables and sources are not counted."""

from pathlib import Path

import pytest

from scripts.site.check.prose import MOST_WORDS, find_long_sentences

LONG = " ".join(["word"] * (MOST_WORDS + 1))
SHORT = " ".join(["word"] * MOST_WORDS)


def find(folder: Path, text: str) -> list[str]:
    page = folder / "en" / "index.md"
    page.parent.mkdir()
    page.write_text(text, encoding="utf-8")
    return [str(problem).removeprefix(f"{page}:") for problem in find_long_sentences(folder)]


def test_a_long_sentence_is_named_with_its_line(tmp_path: Path) -> None:
    assert find(tmp_path, f"# Top {{#top}}\n\n{SHORT}. Short.\n\n- {LONG}.") == [
        "5: 26 words in a sentence, 25 are the most: word word word word word word …"
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"{SHORT}: {SHORT.capitalize()}",
        f"{SHORT}.\n{SHORT}.",
        f"**{SHORT}.** {SHORT}",
        f"> {LONG}",
        f"{LONG}\n{{.original}}",
        f"| {LONG} |",
        f"```text\n{LONG}\n```",
        f"{SHORT[5:]} `{LONG}`",
        f"{SHORT[5:]} [word](https://example.org/a-b-c)",
        f"## Sources {{#sources}}\n\n- {LONG}",
    ],
)
def test_only_words_of_one_sentence_of_ours_count(tmp_path: Path, text: str) -> None:
    assert find(tmp_path, text) == []
