"""Blocks of what changes from build to build, as ``show`` offers them."""

from pathlib import Path

from markupsafe import Markup

from scripts.harness.absent import read_absent
from scripts.site.judge.history import Median, read_history
from scripts.site.judge.medians import list_medians
from scripts.site.page.context import LOGGER, gather_machines, keep, open_pipeline
from scripts.site.page.frame import choose_words, link_programs, locate_data
from scripts.site.render.html import block
from scripts.site.render.machines import show_absent
from scripts.site.render.trends import draw_trends


def trend(experiment: str, family: str, program: str) -> Markup:
    """How a program moved against its baseline by Python release and date, on every machine.

    Raises:
        KeyError: there is no such experiment, or no such program in it.
    """
    pipeline = open_pipeline()
    program = pipeline.experiments[experiment].program(program).name
    wanted = (experiment, family, program)
    earlier = _read_history(pipeline.settings.history)
    now = list_medians(gather_machines(experiment))
    medians = {
        one: None for one in (*earlier, *now) if (one.experiment, one.family, one.program) == wanted
    }
    words = choose_words()
    content = link_programs(draw_trends(list(medians), words, experiment, program), experiment)
    data = Markup('<p class="provenance"><a href="{}/medians.csv">{}</a></p>').format(
        locate_data(), words.text("trends_data")
    )
    return block(content + data, kind="chart")


def absent() -> Markup:
    """The runners and Pythons that this build asked for in vain; nothing if there are none."""
    columns = read_absent(open_pipeline().settings.results)
    return block(show_absent(columns, choose_words()), kind="absent")


@keep
def _read_history(folder: Path) -> list[Median]:
    return read_history(folder, LOGGER.info)
