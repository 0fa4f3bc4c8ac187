"""Fences: what an executed fence of a page prints is HTML, and is not read again.

A fence calls the functions of ``show`` through here. What they raise markdown-exec would render as
Markdown, in which the strings of records could be anything; so it is told as text.
"""

import re
import traceback
from types import ModuleType
from typing import Any

from markupsafe import Markup

from scripts.harness.store import RecordsError
from scripts.site.output import describe_refusal
from scripts.site.page.context import LOGGER, here
from scripts.site.render.html import clean

# What is to be left as it is, or a dash with a space before it.
_DASH = re.compile(r"<(pre|code|script|style)\b.*?</\1>|\s—(?=\s)", re.DOTALL)


class WrongName(ValueError):
    """A fence names what is not there; the message says so, and what is."""


class Blocks:
    """The functions of a module, none of which raises: what went wrong is their HTML."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a fence may call
        function = getattr(self._module, name)

        def show(*names: object, **options: object) -> str:
            return run(function, *names, **options)

        return show


def run(function: Any, *names: object, **options: object) -> str:  # noqa: ANN401 - any block's
    """Give the HTML of a block; what it raises is warned of, which ends a strict build, and shown."""
    try:
        return join_dashes(clean(function(*names, **options)))
    except (RecordsError, WrongName) as error:
        told = str(error)
    except OSError as error:
        told = describe_refusal(error)
    except Exception:  # noqa: BLE001 - whatever it is, it is told
        told = traceback.format_exc()
    given = ", ".join(map(repr, names))
    LOGGER.warning("%s: show.%s(%s)\n%s", here().source, function.__name__, given, told)
    return clean(Markup("<pre>{}</pre>").format(told))


def join_dashes(html: str) -> str:
    """Let no line begin with a dash: each stays on the line of the word before it."""
    return _DASH.sub(lambda found: found[0] if found[1] else "\N{NO-BREAK SPACE}—", html)
