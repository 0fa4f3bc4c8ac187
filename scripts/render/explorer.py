"""The explorer: what the script of the Explore page needs to begin, and what stands there without."""

from collections.abc import Iterable

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from scripts.declare.experiment import Experiment
from scripts.declare.metrics import METRICS
from scripts.paths import DOCS
from scripts.render.html import render
from scripts.render.parts import DIMENSIONS, RATIOS, SHOWN
from scripts.render.words import Words


def show_explorer(experiments: Iterable[Experiment], words: Words, root: str) -> Markup:
    """The place of the explorer, with its words for the script; without script, links to the data.

    ``root`` is the way from the page up to the root of the site.
    """
    catalogue = words.catalogue
    told = {
        **catalogue["explore"],
        "locale": str(words.locale),
        "dimensions": {
            name: catalogue["explore_column"][name]
            for name in ("experiment", *DIMENSIONS, "source")
        },
        "measures": {
            **{name: [catalogue["explore_column"][name], "ratio"] for name in RATIOS},
            **{name: [words.metric(name), METRICS[name].unit] for name in SHOWN},
        },
        "values": {
            "experiment": {
                one.name: words.choose(one.navigation.title)
                for one in experiments
                if one.navigation
            },
            **{name: catalogue[name] for name in ("kind", "status", "verdict")},
            "gil": {name: words.term("explore", name) for name in ("on", "off")},
            "outdated": {"yes": words.text("yes"), "no": words.text("no")},
        },
        "units": {name: words.term("unit", name) for name in ("s", "MiB")},
    }
    text = htmlsafe_json_dumps(told, ensure_ascii=False)
    modules = sorted(path.name for path in (DOCS / "theme" / "assets" / "explore").glob("*.js"))
    return render("explore.html", words=words, root=root, told=text, modules=modules)
