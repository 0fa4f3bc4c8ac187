"""The figures of an article are read as printed, or refused with file and line."""

from pathlib import Path

import pytest

from scripts.site.declare.originals import find_closest, load_originals, read_figure
from tests.factories import ORIGINALS


def load(folder: Path, text: str) -> list[dict[str, str]]:
    (folder / "originals.csv").write_text(text, encoding="utf-8")
    return [dict(row) for row in load_originals(folder, {"one", "two"})]


def test_a_row_has_its_cells_by_column_as_they_were_printed(tmp_path: Path) -> None:
    first, *others = load(tmp_path, ORIGINALS)
    assert first["machine"] == "theirs"
    assert first["max_rss_kb"] == "29 456"
    assert first["trials_s"] == "18.28 17.39"
    assert [row["program"] for row in others] == ["two", "one"]


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("29 456", 29456),
        ("8%", 8),
        ("1,75", 1.75),
        ("-", None),
        ("nan", None),
        ("1e5", None),
        ("1_0", None),
        ("\u0661\u0662", None),  # 12 in Arabic digits
    ],
)
def test_figures_are_read_as_articles_print_them(printed: str, value: float | None) -> None:
    assert read_figure(printed) == value


def test_the_article_s_machine_with_the_closest_core_count_is_compared() -> None:
    rows = [{"machine": name, "cores": cores} for name, cores in (("a", "10"), ("b", "1"))]
    assert find_closest(rows, 8)[0]["machine"] == "a"
    assert find_closest(rows, 2)[0]["machine"] == "b"
