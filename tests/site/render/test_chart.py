"""A chart is drawn for screens of two widths, unless one picture fits both."""

import re
from collections.abc import Mapping

from scripts.site.render.chart import Chart
from scripts.site.render.panel import NARROW_PT, WIDE_PT, Figure


class Picture:
    height_pt = 100

    def draw(self, figure: Figure) -> Mapping[str, str]:
        line = figure.add_subplot().plot([1, 2])[0]
        line.set_gid("chart-1")
        return {"chart-1": "rises"}


def test_it_is_drawn_for_two_widths_and_no_id_is_there_twice() -> None:
    chart = Chart(prefix="chart", title="A line", picture=Picture()).show()
    sizes = re.findall(r'<svg[^>]* viewBox="0 0 ([\d.]+) ([\d.]+)"', chart)
    assert [tuple(map(float, size)) for size in sizes] == [(WIDE_PT, 100), (NARROW_PT, 100)]
    ids = re.findall(r' id="([^"]+)"', chart)
    assert len(ids) == len(set(ids)) > 0
    assert chart.count("rises") >= 2


def test_where_one_width_fits_all_screens_there_is_one_picture() -> None:
    chart = Chart(prefix="chart", title="A line", picture=Picture(), widths_pt=(NARROW_PT,))
    assert chart.show().count("<svg") == 1
