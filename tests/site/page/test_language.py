"""MkDocs builds a language, and what the system refuses it is told in a sentence."""

import errno
from pathlib import Path

import pytest

from scripts.site.page import language


@pytest.mark.parametrize("file", ["/srv/www/en/index.html", None])
def test_a_full_disk_ends_a_build_with_a_sentence_and_no_traceback(
    file: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(_: list[str]) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", file)

    monkeypatch.setattr(language, "cli", fill)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=r"\AThe pages in ru [^\n]*No space left[^\n]*\Z") as ended:
        language.run_mkdocs("ru", tmp_path)
    assert str(file or "") in str(ended.value)
