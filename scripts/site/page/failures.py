"""Failures: the programs that did not do their work, told to whoever builds and publishes."""

import sys
from collections.abc import Iterable, Sequence

from scripts.harness.declaration import Reason
from scripts.harness.output import defuse
from scripts.harness.record import Record
from scripts.site.page.context import LOGGER, gather, open_pipeline
from scripts.site.render.words import load_words
from scripts.site.study.snippets import Printed, SnippetFailed, run_snippet
from scripts.site.summary import add_to_summary, escape

_HEAD = "| program | cores | interpreter | status | reason |\n|---|---|---|---|---|\n"


def tell_failures() -> bool:
    """Tell of every failed program of this build, be it on a page or not.

    Within Actions they also go to the summary of the run.

    Returns:
        Whether the build has to fail for them: there are some, and FAILURES does not say that they
        are to be shown and told only.
    """
    evidences = [gather(name) for name in open_pipeline().experiments]
    failed = find_failures(one.record for found in evidences for one in found.judgements)
    if not failed:
        return False
    told = "\n  ".join((f"Failed: {len(failed)}", *map(describe, failed)))
    print(defuse(told), file=sys.stderr)
    add_to_summary(format_table(failed))
    return open_pipeline().settings.failures == "stop"


def run_or_explain(snippet: str) -> Printed | Reason:
    """What a snippet printed; or how it failed, which is warned of and so ends a strict build."""
    try:
        return run_snippet(snippet)
    except SnippetFailed as failure:
        reason = load_words("en").reason(failure.reason)
        LOGGER.warning("snippets/%s.py: %s: %s", snippet, reason, failure.complaint)
        return failure.reason


def find_failures(records: Iterable[Record]) -> list[Record]:
    """Those of programs that were run and did not do their work."""
    return [record for record in records if record.status in ("failed", "timeout")]


def describe(record: Record) -> str:
    """A failure in a line: program, conditions, reason with the last line of what it said."""
    variant = record.variant
    last = " ".join(record.stderr.strip().rpartition("\n")[2].split())
    said = f": {last}" if last and record.reason and record.reason.code == "exited" else ""
    reason = " ".join(load_words("en").reason(record.reason).split())
    cores = f"{variant.cores} core{'s' * (variant.cores > 1)}"
    return (
        f"{variant.experiment}/{variant.program} ({variant.family}) on {cores}"
        f" with {variant.interpreter}: {record.status}: {reason}{said}"
    )


def format_table(failed: Sequence[Record]) -> str:
    """Failures as a table of Markdown, in which nothing that a program said is Markdown or HTML."""
    rows = [
        (
            f"{record.variant.experiment}/{record.variant.program}",
            str(record.variant.cores),
            record.variant.interpreter,
            record.status,
            load_words("en").reason(record.reason),
        )
        for record in failed
    ]
    lines = (f"| {' | '.join(map(escape, row))} |\n" for row in rows)
    return f"\n### Failed programs\n\n{_HEAD}{''.join(lines)}"
