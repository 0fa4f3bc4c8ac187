"""The notebook: executed on the published data and made into a page like all others.

Its Markdown and code become those of a page, so that headings, ids, links and colours are MkDocs'
own. What a notebook gave is kept until its text or the data change; so the kept file is named
after both, and builds at once do not disturb each other.
"""

import hashlib
import html
import json
import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from scripts.page.context import gather, open_pipeline
from scripts.paths import CACHE
from scripts.render.published import make_document

DIGEST_LENGTH = 12


class NotebookError(RuntimeError):
    """A notebook failed on the data of this build."""


def provide_data() -> None:
    """Write the published data where ``RESULTS_JSON`` will say; measures what is missing."""
    document = make_document([gather(name) for name in open_pipeline().experiments])
    del document["generated_at"]  # of no interest to the notebook, and new at every build
    text = json.dumps(document, ensure_ascii=False)
    path = CACHE / f"results-{_digest(text)}.json"
    _keep(path, text)
    os.environ["RESULTS_JSON"] = str(path)


def make_page(path: Path) -> str:
    """The Markdown of a page that shows a notebook and what it gave.

    Raises:
        NotebookError: a cell of it failed.
    """
    text = path.read_text(encoding="utf-8")
    kept = CACHE / f"notebook-{_digest(text + os.environ['RESULTS_JSON'])}.md"
    if not kept.exists():
        notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
        try:
            NotebookClient(notebook).execute()
        except CellExecutionError as error:
            raise NotebookError(f"{path}: {error.ename}: {error.evalue}") from None
        _keep(kept, "\n\n".join(map(_show_cell, notebook.cells)) + "\n")
    return kept.read_text(encoding="utf-8")


def _show_cell(cell: nbformat.NotebookNode) -> str:
    if cell.cell_type == "markdown":
        return str(cell.source)
    alt = html.escape(cell.metadata.get("alt", ""))
    shown = [_show_output(output, alt) for output in cell.outputs]
    return "\n\n".join([f"```python\n{cell.source}\n```", *filter(None, shown)])


def _show_output(output: nbformat.NotebookNode, alt: str) -> str:
    """HTML on one line, of which Markdown reads nothing, whatever the data say."""
    if output.output_type == "stream":
        if output.name != "stdout":
            return ""  # a warning, of use to whoever builds alone
        text = html.escape(output.text).replace("\n", "&#10;")
        return f'<pre class="output" tabindex="0">{text}</pre>'
    picture = "".join(output.data["image/png"].split())
    return f'<p class="output"><img src="data:image/png;base64,{picture}" alt="{alt}"></p>'


def _keep(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]
