"""What is known of a figure travels in its HTML, and its numbers are CSV."""

import csv
from typing import Any

from making import make_lane, make_record, make_variant
from poolwise.statistics import Estimate
from scripts.site.render.figures import (
    Figure,
    Number,
    drop_notes,
    hide_note,
    read_note,
    write_numbers,
    write_spans,
)
from tests.factories import make_timeline


def read_lines(text: str) -> list[dict[str, Any]]:
    return list(csv.DictReader(text.splitlines()))


def test_a_note_comes_out_of_html_as_it_went_in_and_leaves_nothing() -> None:
    figure = Figure(claim="pool-is-faster", numbers="a -- b\n", measured="AMD <EPYC> --> «сейчас»")
    page = f"<figure>{hide_note(figure)}</figure>"
    assert read_note(page) == figure
    assert drop_notes(page) == "<figure></figure>"
    assert read_note("<figure><!-- figure --></figure>") is None


def test_a_number_has_its_interval_its_unit_and_the_cell_that_it_is_of() -> None:
    record = make_record(make_variant(workers=4, cores=2))
    value = Estimate(median=0.123456789, low=0.1, high=0.2)
    numbers = [
        Number("a, b", "0.12 s", 2, value, "inside_s", record),
        Number("c", "", 0, Estimate(median=3.0, low=3.0, high=3.0), "peak_pss_bytes", None),
    ]
    first, second = read_lines(write_numbers(numbers))
    assert (first["series"], first["value"], first["low"]) == ("a, b", "0.123457", "0.1")
    assert (first["unit"], first["workers"], first["machine"]) == ("s", "4", record.machine)
    assert (second["unit"], second["low"], second["program"]) == ("MiB", "", "")


def test_spans_count_from_the_beginning_of_the_work() -> None:
    lane = make_lane(spans=[(0, 40_000, 1), (80_000, 90_000, 0)])
    first, second = read_lines(write_spans([(make_timeline(lanes=[lane]), 60_000)]))
    assert (first["begin_us"], first["end_us"], first["state"]) == ("-60000", "-20000", "running")
    assert (second["begin_us"], second["state"], second["core"]) == ("20000", "waiting", "")
