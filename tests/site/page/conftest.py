"""Nothing is kept from test to test: what each build goes by is new, and so is the folder."""

from itertools import count
from pathlib import Path

import pytest

from scripts.site import kept
from scripts.site.page import context, failures, root

NUMBERS = count()


@pytest.fixture(autouse=True)
def keeps_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return the folder of what is kept."""
    folder = tmp_path_factory.mktemp("kept")
    monkeypatch.setattr(kept, "FOLDER", folder)
    for module in (context, root):
        monkeypatch.setattr(module, "digest_sources", lambda: {context.ALL: str(next(NUMBERS))})
    monkeypatch.setattr(root, "digest_shown", lambda: "")
    monkeypatch.setattr(failures, "keep_block", lambda call, arguments, make: make())
    return folder
