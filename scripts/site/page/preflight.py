"""Preflight: whatever would stop a build is found before anything is measured for it."""

import tempfile

from mkdocs.config import load_config
from mkdocs.exceptions import MkDocsException

from scripts.harness.declaration import MalformedDeclaration
from scripts.harness.paths import CACHE
from scripts.site.declare.texts import list_languages
from scripts.site.page.context import open_pipeline
from scripts.site.page.language import locate_config
from scripts.site.settings import Settings


def check_build(settings: Settings) -> None:
    """Load what a build goes by: settings, declarations, MkDocs with its plugins and extensions.

    Args:
        settings: of the build, which may measure what its pages only show.

    Raises:
        BadSetting: a setting cannot be used.
        MalformedDeclaration: a declaration or a configuration is wrong.
        OSError: records, or what is kept for the pages, cannot be written.
    """
    open_pipeline()
    for language in list_languages():
        path = locate_config(language)
        try:
            load_config(str(path))
        except (MkDocsException, ImportError) as error:
            raise MalformedDeclaration(f"{path}: {error}") from error
    measures = settings.measure != "nothing" and not settings.machine
    for folder in (CACHE, settings.results) if measures else (CACHE,):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            """Only whether it can be made; nothing is left of it."""
