"""Traces, as a reader sees and hears them."""

from scripts.harness.record import Record, Trial
from scripts.site.render.charts import draw_traces
from scripts.site.render.words import MIB, load_words
from tests.factories import make_record, make_variant, replace
from tests.site.render.markup import make_evidence, read, read_tooltips

EN = load_words("en")
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"


def trace(program: str, *, tasks: int = 30, workers: int = 1) -> Record:
    """A second in which memory rises to 101 MiB, after another trial."""
    record = make_record(make_variant(program=program, tasks=tasks, workers=workers, cores=2))
    trials = [
        Trial(
            status="ok",
            trace=tuple((place / 100, (place + offset) * MIB, None) for place in range(101)),
        )
        for offset in (900, 1)
    ]
    return replace(record, traced=tuple(trials))


def test_where_nothing_was_sampled_the_profile_that_leaves_it_out_is_named() -> None:
    untraced = make_evidence([replace(trace(SEQUENTIAL), traced=())])
    said = read(draw_traces(untraced, EN, "io"))
    assert said == EN.text("traces_nothing", profile=untraced.profile)


def test_of_several_sizes_the_largest_is_shown() -> None:
    records = [trace(POOL, tasks=tasks, workers=4) for tasks in (10, 20)]
    records += [trace(POOL, tasks=20, workers=8), trace(SEQUENTIAL)]
    tooltips = read_tooltips(draw_traces(make_evidence(records), EN, "io"))
    assert {one.partition(", after")[0] for one in tooltips} == {
        "04-io-thread_pool, 20 tasks, 8 workers",
        "01-io-sequential, 30 tasks, 1 worker",
    }
