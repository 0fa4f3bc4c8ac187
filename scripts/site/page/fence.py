"""Fences: what an executed fence of a page prints is HTML, and is not read again.

markdown-exec leaves what a fence with ``html="true"`` prints as it is; but what a fence raised it
would render as Markdown, in which the strings of records could be anything. So we run them.
"""

import io
import traceback
from functools import partial
from typing import Any

from markdown_exec import base_format, formatters
from markupsafe import Markup

from scripts.harness.store import RecordsError
from scripts.site.output import describe_refusal
from scripts.site.page.context import LOGGER, Place, here, keep
from scripts.site.render.html import clean


class WrongName(ValueError):
    """A fence names what is not there; the message says so, and what is."""


def take_over() -> None:
    """From now on markdown-exec runs fences so."""
    formatters["python"] = show


def write_fence(name: str, call: str) -> str:
    """The Markdown of a fence that prints what a function of ``show`` gives."""
    return (
        f'```python exec="on" html="true" id="{name}"\n'
        f"from scripts.site.page import show\nprint(show.{call})\n```\n"
    )


def show(**given: Any) -> Markup:  # noqa: ANN401 - what markdown-exec knows of a fence
    """What stands in a fence's place."""
    return base_format(**given | {"language": "python", "run": run, "html": True})


def run(code: str, *, id: str = "", **_options: object) -> str:  # noqa: A002 - markdown-exec's name
    """What a fence prints; what it raises is warned of, which ends a strict build, and shown."""
    try:
        return _run_once(code, id, here())
    except (RecordsError, WrongName) as error:
        told = str(error)
    except OSError as error:
        told = describe_refusal(error)
    except Exception:  # noqa: BLE001 - whatever it is, it is told
        told = traceback.format_exc()
    LOGGER.warning("%s: fence %s\n%s", here().source, id, told)
    return clean(Markup("<pre>{}</pre>").format(told))


@keep
def _run_once(code: str, id_: str, place: Place) -> str:
    """What a fence prints there: a preview builds every page after each change."""
    del place
    printed = io.StringIO()
    exec(compile(code, f"<fence {id_}>", "exec"), {"print": partial(print, file=printed)})  # noqa: S102 - the page's own code
    return clean(printed.getvalue())
