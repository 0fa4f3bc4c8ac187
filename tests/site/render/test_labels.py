"""Labels stand beside the ends of lines, apart from each other, and hide nothing."""

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scripts.site.render.labels import STEP_PT, STRAY_PT, Curve, draw_labels, place_labels, spread
from scripts.site.render.panel import add_panel

FLAT = [0.0, 50.0, 100.0]


@pytest.fixture
def axes() -> Axes:
    """Two points for each unit of either axis, and room at the right."""
    axes = add_panel(Figure(figsize=(340 / 72, 4)), 20, 20, 200, 200)
    axes.set(xlim=(0, 100), ylim=(0, 100))
    return axes


def at(height: float, until: float = 100) -> Curve:
    """A level line."""
    return [0, until], [height, height]


def test_names_far_from_each_other_stay_where_they_belong() -> None:
    assert spread([10, 50, 90], 0) == [10, 50, 90]


def test_names_that_would_collide_move_apart_around_their_middle() -> None:
    assert spread([10, 50, 52, 90], 0) == [10, 51 - STEP_PT / 2, 51 + STEP_PT / 2, 90]


def test_what_moves_pushes_its_neighbours_on() -> None:
    moved = spread([40, 50, 50, 50, 60], 0)
    assert moved == [50 + STEP_PT * step for step in (-2, -1, 0, 1, 2)]


def test_none_moves_below_the_lowest_place() -> None:
    assert spread([20, 20, 20], 20) == [20, 20 + STEP_PT, 20 + 2 * STEP_PT]


def test_each_line_has_its_name_at_its_own_end(axes: Axes) -> None:
    labels = place_labels(axes, [at(20), at(80, until=30)], ["low", "high"])
    assert {label.text: label.end for label in labels} == {"low": (100, 20), "high": (30, 80)}
    assert all(label.shift_pt[1] == pytest.approx(0) for label in labels)


@pytest.mark.parametrize(
    "curves",
    [
        pytest.param([at(20), at(20, until=30)], id="on a line"),
        pytest.param([at(20, until=30), at(20, until=45)], id="on another name"),
        pytest.param([at(20), at(50, until=99)], id="beyond the edge"),
    ],
)
def test_a_name_that_would_hide_something_stands_elsewhere_at_its_end(
    axes: Axes, curves: list[Curve]
) -> None:
    placed = place_labels(axes, curves, ["short", "of twenty-four letters "])
    assert {label.text for label in placed} == {"short", "of twenty-four letters "}
    for label in placed:
        left, bottom, right, top = label.box.extents
        assert 0 <= left < right <= 340
        assert not bottom < label.end_pt[1] < top or left > label.end_pt[0]


def test_a_name_without_room_at_its_end_stands_at_another_of_its_points(axes: Axes) -> None:
    """Three lines end in one point at the edge; before it they are far apart."""
    curves = [([0, 50, 100], [height, height, 50]) for height in (5, 50, 95)]
    axes.figure.set_figwidth(226 / 72)
    axes.set_position((20 / 226, axes.get_position().y0, 200 / 226, axes.get_position().height))
    labels = place_labels(axes, curves, ["lowest", "middle", "highest"])
    assert {label.text for label in labels} == {"lowest", "middle", "highest"}
    heights = {label.text: label.end_pt[1] + label.shift_pt[1] for label in labels}
    assert heights["lowest"] < heights["middle"] < heights["highest"]


def test_a_name_without_room_at_any_point_is_shorter_there(axes: Axes) -> None:
    curves = [([0, 50, 100], [height, height, 50]) for height in (5, 50, 95)]
    axes.figure.set_figwidth(226 / 72)
    axes.set_position((20 / 226, axes.get_position().y0, 200 / 226, axes.get_position().height))
    long = ["of far more letters than any picture is wide" * 2] * 3
    labels = place_labels(axes, curves, long, ["one", "two", "three"])
    assert {label.text for label in labels} == {"one", "two", "three"}


def test_a_name_between_two_lines_is_not_given_to_either(axes: Axes) -> None:
    curves = [at(50 + 6 * place) for place in range(3)]
    axes.figure.set_figwidth(226 / 72)
    axes.set_position((20 / 226, axes.get_position().y0, 200 / 226, axes.get_position().height))
    placed = {label.text for label in place_labels(axes, curves, ["lowest", "middle", "highest"])}
    assert "middle" not in placed


def test_a_name_without_room_anywhere_is_left_to_the_legend(axes: Axes) -> None:
    assert place_labels(axes, [at(20)], ["of far more letters than any picture is wide" * 2]) == []


def test_a_name_that_had_to_move_is_led_to_its_line(axes: Axes) -> None:
    curves = [at(50), at(50), at(50), at(90)]
    labels = place_labels(axes, curves, ["one", "two", "three", "far"])
    draw_labels(axes, labels)
    moved = {label.text for label in labels if abs(label.shift_pt[1]) > STRAY_PT}
    led = {text.get_text() for text in axes.texts if getattr(text, "arrow_patch", None)}
    assert led == moved
    assert len(moved) == 2
    assert len({label.shift_pt[0] for label in labels}) == 1
