"""Timelines: the block of one on a page, with its picture in a fold and the figures beneath it."""

from markupsafe import Markup

from scripts.records.timeline import Timeline
from scripts.render.html import render
from scripts.render.schedule import WIDTH, describe, format_micros
from scripts.render.words import Words


def show_timeline(timeline: Timeline, words: Words, picture: str, data: str) -> Markup:
    """The picture in a fold, its figures, and the way to the data.

    ``picture`` is the address of what ``draw_timeline`` makes, ``data`` of the same as Trace Event JSON.
    """
    seconds = timeline.wall_us / 1e6 or 1.0
    figures = [
        words.text(
            "timeline_mean",
            mean=words.number(timeline.parallelism, 2),
            cores=words.count("cores", timeline.cores),
        ),
        words.text(
            "timeline_switches",
            gave=words.number(timeline.gave_way / seconds, 0),
            taken=words.number(timeline.taken / seconds, 0),
        ),
        words.text("timeline_longest", time=format_micros(timeline.longest_us, words)),
    ]
    if timeline.lag_us is not None:
        figures.append(words.text("timeline_lag", time=format_micros(timeline.lag_us, words)))
    return render(
        "timeline.html",
        words=words,
        picture=picture,
        data=data,
        alt=describe(timeline, words),
        width=2 * WIDTH,
        figures=figures,
        seen=_tell_coverage(timeline, words),
        run=words.text(
            "timeline_run",
            interpreter=timeline.interpreter,
            tasks=words.count("tasks", timeline.tasks),
            workers=words.count("workers", timeline.workers),
            profile=timeline.profile,
            date=words.date(timeline.measured_at),
        ),
    )


def _tell_coverage(timeline: Timeline, words: Words) -> str:
    """How much was seen, and how many threads were too short for it at most."""
    told = words.text(
        "timeline_seen",
        share=words.percent(timeline.coverage),
        interval=format_micros(timeline.interval_us, words),
    )
    if timeline.unseen:
        told += f" {words.text('timeline_unseen', n=words.plain(timeline.unseen))}"
    return told
