"""Scenes of a page: played from what is declared, at the prices that were measured or in a recorded run."""

from collections.abc import Mapping, Sequence
from operator import attrgetter

from markupsafe import Markup
from msgspec.structs import replace

from scripts.site.declare.scenes import Panel, Price, read_scene, read_trace
from scripts.site.judge.evidence import Judgement
from scripts.site.page.context import gather, list_watched, open_pipeline, split_program
from scripts.site.page.frame import describe_source
from scripts.site.render.figures import Figure
from scripts.site.render.names import title_program
from scripts.site.render.scenes import show_scene, stage_scene
from scripts.site.render.words import Words
from scripts.site.study.scenes import Play, Simulation, play_recorded, play_trace
from scripts.site.study.timeline import Timeline


def play_scene(name: str, words: Words) -> tuple[Markup, Figure]:
    """Play a scene, and describe where its times come from; nothing of a run that nobody recorded."""
    scene, watched = read_scene(name), list_watched()
    recorded_panels = [panel for panel in scene.panels if not panel.tasks and not panel.trace]
    shown = [split_program(panel.timeline) for panel in recorded_panels]
    if not watched.keys() >= set(shown):
        return Markup(), Figure()
    recorded = [watched[key] for key in shown]
    priced = {key: find_price(price) for key, price in scene.prices.items()}
    if None in priced.values():  # measured times and chosen ones don't mix
        priced = dict.fromkeys(priced)
    prices_ms = {key: take_price_ms(scene.prices[key], row) for key, row in priced.items()}
    plays = [play_panel(panel, prices_ms, watched) for panel in scene.panels]
    source, origin = _tell_origin([row for row in priced.values() if row], recorded, words)
    if any(panel.trace for panel in scene.panels):
        origin = words.text(f"scene_traced_{scene.unit}")
    elif not recorded and watched.keys() & set(map(split_program, scene.timelines)):
        origin = words.text("scene_modelled")
    return show_scene(stage_scene(name, scene, plays, prices_ms, origin, words)), source


def play_panel(
    panel: Panel, prices_ms: Mapping[str, float], watched: Mapping[tuple[str, str], Timeline]
) -> Play:
    """Play a panel by its tasks or its trace, or as its program was recorded."""
    if panel.trace:
        return play_trace(read_trace(panel.trace), panel.lane)
    if panel.tasks:
        return Simulation(panel, prices_ms).play()
    return play_recorded(watched[split_program(panel.timeline)], panel.until_ms)


def find_price(price: Price) -> Judgement | None:
    """Find the row of a program that tells a price: of its most tasks, as the first interpreter had it."""
    experiment, program = split_program(price.program)
    rows = [row for row in gather(experiment).judgements if row.program == program]
    rows = [row for row in rows if price.gil in ("", row.variant.gil)]
    timed = [row for row in rows if row.median("inside_s")]
    return max(timed, key=attrgetter("tasks"), default=None)


def take_price_ms(price: Price, row: Judgement | None) -> float:
    """Take what one task took, in milliseconds; what is declared where no row tells it."""
    seconds = row and row.median("inside_s")
    if row and seconds:
        return 1000 * seconds / row.tasks
    return price.otherwise_ms


def _tell_origin(
    rows: Sequence[Judgement], recorded: Sequence[Timeline], words: Words
) -> tuple[Figure, str]:
    """Describe the source of a scene's times, and say in a sentence what the picture is."""
    records = [row.record for row in rows]
    cells = [record.variant for record in records] or recorded
    if not cells:
        return Figure(), words.text("scene_sketch")
    moments = [record.measured_at for record in records] or [run.measured_at for run in recorded]
    experiments = open_pipeline().experiments
    names: dict[str, None] = {}
    for cell in cells:
        names[title_program(experiments[cell.experiment], cell.program, words)] = None
    source = describe_source(cells, max(moments), (), open_pipeline().machines, words)
    key = "scene_scaled" if rows else "scene_recorded"
    origin = words.text(key, names="; ".join(names), source=source.measured)
    return replace(source, measured=""), origin  # which stands in the picture already
