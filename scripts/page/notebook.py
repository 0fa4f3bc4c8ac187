"""The notebook's data: what it opens while the build executes it.

mkdocs-jupyter keeps what a notebook gave until its text changes. It does not see that the data
did; so data and cache are named after what is in the data, and builds at once share neither.
"""

import hashlib
import json
import os
from pathlib import Path

from scripts.page.context import gather, open_pipeline
from scripts.render.published import make_document

CACHE = Path(".cache")
DIGEST_LENGTH = 12


def provide_data(language: str) -> Path:
    """Write the published data where ``RESULTS_JSON`` will say; measures what is missing.

    Returns:
        Where mkdocs-jupyter has to keep what the notebooks of a language gave for this data.
    """
    document = make_document([gather(name) for name in open_pipeline().experiments])
    del document["generated_at"]  # of no interest to the notebook, and new at every build
    text = json.dumps(document, ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]
    path = (CACHE / f"results-{digest}.json").resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
    os.environ["RESULTS_JSON"] = str(path)
    return CACHE / f"mkdocs-jupyter-{language}-{digest}"
