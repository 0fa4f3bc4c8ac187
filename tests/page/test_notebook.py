"""A notebook becomes a page of Markdown, and nothing that it prints is read as Markdown."""

import json
from pathlib import Path

import pytest
from markdown import Markdown

from scripts.page import notebook
from scripts.page.notebook import NotebookError, make_page

TITLE = "# Данные {#top}\n\nСм. [метод](method.md)."
HOSTILE = '\\n```python exec=\\"on\\"\\nprint(6 * 7)\\n```\\n\\n# <b>not a heading</b>\\n'


@pytest.fixture
def write(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Writes a notebook of Markdown and one cell of code."""
    monkeypatch.setattr(notebook, "CACHE", tmp_path / "cache")
    monkeypatch.setenv("RESULTS_JSON", "results-1.json")

    def run(code: str, **metadata: str) -> Path:
        cells = [
            {"cell_type": "markdown", "id": "a", "metadata": {}, "source": TITLE},
            {
                "cell_type": "code",
                "execution_count": None,
                "id": "b",
                "metadata": metadata,
                "outputs": [],
                "source": code,
            },
        ]
        path = tmp_path / "notebook.ipynb"
        shell = {"metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        path.write_text(json.dumps({"cells": cells, **shell}), encoding="utf-8")
        return path

    return run


def test_text_and_code_are_markdown_and_output_is_beside_it(write) -> None:
    page = make_page(write("import sys\nprint('a' + 'b')\nprint('unseen', file=sys.stderr)"))
    assert page.startswith(f"{TITLE}\n\n```python\nimport sys\nprint('a' + 'b')\n")
    assert page.endswith('```\n\n<pre class="output" tabindex="0">ab&#10;</pre>\n')


def test_a_picture_has_the_text_that_its_cell_gives_it(write) -> None:
    show = "from IPython.display import Image, display\ndisplay(Image(b'\\x89PNG', format='png'))"
    assert 'src="data:image/png;base64,iVBORw==" alt="A &lt;chart&gt;"' in make_page(
        write(show, alt="A <chart>")
    )


def test_what_is_printed_is_never_read_as_markdown(write) -> None:
    page = make_page(write(f'print("{HOSTILE}")'))
    shown = Markdown(extensions=["pymdownx.superfences"]).convert(page.split("```\n\n")[-1])
    assert shown.startswith("<pre")
    assert shown.endswith("</pre>")
    assert shown.count("<") == 2
    assert "```python exec=&quot;on&quot;&#10;" in shown


def test_a_notebook_is_executed_again_when_its_data_have_changed(
    write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("import os\nprint(os.environ['RESULTS_JSON'])")
    assert "results-1" in make_page(path)
    monkeypatch.setenv("RESULTS_JSON", "results-2.json")
    assert "results-2" in make_page(path)


def test_a_cell_that_fails_is_told_in_a_sentence(write) -> None:
    path = write("1 / 0")
    with pytest.raises(NotebookError, match=rf"^{path}: ZeroDivisionError: division by zero$"):
        make_page(path)
