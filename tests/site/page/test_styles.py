"""The style sheets of the theme and of ours become one, and no page asks for its parts."""

import pytest
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import PluginCollection
from mkdocs.structure.files import File, Files

from scripts.site.page.styles import SHEET, join_styles

THEME = ("assets/stylesheets/palette.0a1b.min.css", "assets/stylesheets/main.2c3d.min.css")
OURS = ("assets/site.css", "assets/print.css")


def gather(config: MkDocsConfig, *names: str) -> Files:
    return Files([File.generated(config, name, content=f"/* {name} */") for name in names])


@pytest.fixture
def config() -> MkDocsConfig:
    config = MkDocsConfig()
    config.load_dict({"site_name": "Lab", "extra_css": list(OURS)})
    config["plugins"] = PluginCollection()
    config["plugins"]._current_plugin = "hooks"  # as MkDocs has it while it asks for files
    return config


def test_the_sheet_has_the_themes_first_and_ours_in_the_order_of_the_configuration(
    config: MkDocsConfig,
) -> None:
    files = gather(config, "assets/other.css", *OURS[::-1], *THEME)
    sheet = join_styles(files, config)
    assert sheet.src_uri == SHEET
    assert sheet.content_string == "\n".join(f"/* {name} */" for name in (*THEME[::-1], *OURS))


def test_its_parts_are_neither_published_nor_linked(config: MkDocsConfig) -> None:
    files = gather(config, "assets/other.css", *OURS, *THEME)
    join_styles(files, config)
    assert list(files.src_uris) == ["assets/other.css"]
    assert config["extra_css"] == []


def test_a_sheet_that_is_not_there_stops_the_build(config: MkDocsConfig) -> None:
    with pytest.raises(KeyError, match=r"print\.css"):
        join_styles(gather(config, OURS[0], *THEME), config)
