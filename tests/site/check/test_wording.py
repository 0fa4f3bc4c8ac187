"""A phrase that a language is rid of is found wherever it comes back."""

from pathlib import Path

import pytest

from scripts.site.check.wording import find_bad_wording

TOLD = {
    "docs/ru/method.md": "Программа кончает раньше чем через секунду.",
    "docs/ru/gil.md": "- [PEP 703](https://peps.python.org/pep-0703/) (21 ноября 2026).",
    "docs/en/gil.md": "- [PEP 703](https://peps.python.org/pep-0703/) (21 November 2026).",
    "docs/choices.toml": 'ru = "Сотни ожиданий и асинхронная библиотека"',
    "examples/matrix/claims.toml": 'ru = "Эта программа занимает {left} ядра."',
}


@pytest.mark.parametrize("name", TOLD)
def test_a_phrase_that_comes_back_is_told_with_its_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text(f"first\n{TOLD[name]}\n", encoding="utf-8")
    found = [problem for problem in find_bad_wording(tmp_path) if problem[0] == path]
    assert [line for _, line, _ in found] == [2]
