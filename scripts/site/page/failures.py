"""Failures: the programs that did not do their work, told to whoever builds and publishes."""

import re
import sys
import traceback
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from markupsafe import Markup

from poolwise.declaration import MalformedDeclaration, Reason
from poolwise.output import defuse
from poolwise.record import Record
from poolwise.store import RecordsError
from scripts.site.page.context import complain, here, judge, keep_block, list_printed, open_pipeline
from scripts.site.render.html import clean
from scripts.site.render.words import load_words
from scripts.site.settings import add_to_summary, describe_refusal
from scripts.site.study.snippets import Failed, Printed

P = ParamSpec("P")


def tell_failures() -> bool:
    """Tell of every failed program of this build and what it said on stderr, be it on a page or not.

    Within Actions they also go to the summary of the run. The build has to fail for them, which is
    what this returns, unless FAILURES says that they are to be shown and told only.
    """
    failed: list[Record] = []
    for name in open_pipeline().experiments:
        failed += judge(name).failed
    if not failed:
        return False
    lines = [describe(record) for record in failed]
    # Many fail for one reason: what they say of it stands there once.
    said = dict.fromkeys(record.stderr for record in failed if record.stderr)
    paragraphs = ["\n  ".join((f"Failed: {len(failed)}", *lines)), *said]
    print(defuse("\n".join(paragraphs)), file=sys.stderr)
    add_to_summary("Failed programs", lines)
    return open_pipeline().settings.failures == "stop"


def find_printed(snippet: str) -> Printed | Reason:
    """What a snippet printed; or why it did not, which is warned of if it failed: a strict build ends."""
    outcome = list_printed()[snippet]
    if isinstance(outcome, Failed):
        reason = load_words("en").reason(outcome.reason)
        complain("snippets/%s.py: %s: %s", snippet, reason, outcome.complaint)
        return outcome.reason
    return outcome


def describe(record: Record) -> str:
    """A failure in a line: program, conditions, reason with the last line of what it said."""
    variant = record.variant
    last = " ".join(record.stderr.strip().rpartition("\n")[2].split())
    said = f": {last}" if last and record.reason and record.reason.code == "exited" else ""
    reason = " ".join(load_words("en").reason(record.reason).split())
    cores = "1 core" if variant.cores == 1 else f"{variant.cores} cores"
    return (
        f"{variant.experiment}/{variant.program} ({variant.family}) on {cores}"
        f" with {variant.interpreter}: {record.status}: {reason}{said}"
    )


# What is to be left as it is, or a dash with a space before it.
_DASH = re.compile(r"<(pre|code|script|style)\b.*?</\1>|\s—(?=\s)", re.DOTALL)


def guard(block: Callable[P, Markup]) -> Callable[P, str]:
    """Let a block never raise: what went wrong is its HTML."""

    @wraps(block)
    def guarded(*names: P.args, **options: P.kwargs) -> str:
        return run(block, *names, **options)

    return guarded


def run(function: Callable[..., Markup], *names: object, **options: object) -> str:
    """Give the HTML of a block; what it raises is warned of, which ends a strict build, and shown."""
    call = (function.__module__, function.__qualname__, names, sorted(options.items()))
    try:
        return keep_block(
            call,
            (*names, *options.values()),
            lambda: join_dashes(clean(function(*names, **options))),
        )
    except (RecordsError, MalformedDeclaration) as error:
        message = str(error)
    except OSError as error:
        message = describe_refusal(error)
    except Exception:  # noqa: BLE001 - whatever it is, it is told
        message = traceback.format_exc()
    given = ", ".join(map(repr, names))
    complain("%s: show.%s(%s)\n%s", here().source, function.__name__, given, message)
    return clean(Markup("<pre>{}</pre>").format(message))


def join_dashes(html: str) -> str:
    """Let no line begin with a dash: each stays on the line of the word before it."""
    return _DASH.sub(lambda dash: dash[0] if dash[1] else "\N{NO-BREAK SPACE}—", html)
