"""The notebook's data: what it opens while the build executes it.

mkdocs-jupyter keeps what a notebook gave until its text changes. It does not see that the data
did, so its cache is dropped here when that happens.
"""

import json
import os
import shutil
from pathlib import Path

from scripts.page.context import gather, open_pipeline
from scripts.render.published import make_document

CACHE = Path(".cache")


def provide_data(language: str, notebook_cache: Path) -> None:
    """Write the published data where ``RESULTS_JSON`` will say; measures what is missing.

    Args:
        language: each language's build has a file of its own, for both may run at once.
        notebook_cache: where mkdocs-jupyter keeps results; dropped if the data has changed.
    """
    document = make_document([gather(name) for name in open_pipeline().experiments])
    del document["generated_at"]  # of no interest to the notebook, and new at every build
    text = json.dumps(document, ensure_ascii=False)
    path = (CACHE / f"results.{language}.json").resolve()
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        shutil.rmtree(notebook_cache, ignore_errors=True)
    os.environ["RESULTS_JSON"] = str(path)
