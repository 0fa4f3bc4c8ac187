"""Every message of the page *Messages* is one that the program below it prints."""

import re
import sys

import pytest

from scripts.harness.paths import DOCS
from scripts.site.study.snippets import SNIPPETS
from tests.examples.conftest import run

SHOWN = re.findall(
    r'^### `([^`\n]*)` \{#([\w-]+)\}$(?:(?!^###).)*?show\.snippet\("(messages-\w+)"\)',
    (DOCS / "en" / "messages.md").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
SINCE = {"not-awaitable": (3, 14), "no-attribute": (3, 14)}
"""Since which Python a message reads as it stands there."""


@pytest.mark.parametrize(
    ("message", "snippet"),
    [
        (message, snippet)
        for message, id_, snippet in SHOWN
        if sys.version_info >= SINCE.get(id_, (3, 11))
    ],
)
def test_a_program_prints_the_message_above_it(message: str, snippet: str):
    done = run(SNIPPETS, f"{snippet}.py", {})

    assert done.returncode == 0, done.stderr
    for part in message.split("…"):
        assert part.strip() in done.stdout + done.stderr


def test_there_are_forty_messages_at_least():
    page = (DOCS / "en" / "messages.md").read_text(encoding="utf-8")

    assert page.count("\n### ") >= 40
