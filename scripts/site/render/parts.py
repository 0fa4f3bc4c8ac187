"""Parts: the rows of all machines for the Explore page, a file for each experiment, in columns.

A row is one judged record. Names stand once in a part and rows have their places, numbers have four
digits: a page of many machines loads what it shows, and no more.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from graphlib import TopologicalSorter
from math import inf, isfinite
from pathlib import Path
from typing import Any

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from scripts.harness.experiment import Experiment
from scripts.harness.metrics import METRICS
from scripts.harness.record import CELL
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.render.html import render
from scripts.site.render.words import Words

Part = dict[str, Any]

DIMENSIONS = (
    *(name for name in CELL if name not in ("experiment", "params")),
    *("kind", "profile", "status", "verdict", "outdated"),
)
"""What rows are told apart by, beside the experiment."""
SHOWN = ("wall_s", "inside_s", "cpu_s", "cpu_share", "peak_pss_bytes", "lag_max_s")
"""The metrics that readers compare; ``results.json`` has all."""
RATIOS = ("speedup", "cpu_ratio")
"""The ratios that hold across machines and Pythons: how many times as fast as the baseline of the same family
on the same machine, Python, cores and tasks, and by how many times more CPU time it takes."""


def make_part(evidences: Sequence[Evidence]) -> Part:
    """The rows of one experiment on all machines.

    Returns:
        ``count`` rows; of each dimension its ``values`` and, where these are several, the place
        among them that each row has (``codes``); of each measure a number or null for each row,
        unless no row has any.
    """
    rows = [_make_row(evidence, one) for evidence in evidences for one in evidence.judgements]
    dimensions = {name: _encode([row[name] for row in rows]) for name in DIMENSIONS}
    names = (*RATIOS, "speedup_low", "speedup_high", *SHOWN)
    measures = {name: [_round(row[name]) for row in rows] for name in names}
    return {
        "schema": 1,
        "count": len(rows),
        "dimensions": dimensions,
        "measures": {
            name: values
            for name, values in measures.items()
            if any(value is not None for value in values)
        },
    }


def make_index(parts: Mapping[str, Part], experiments: Sequence[Experiment]) -> Part:
    """Make what the page has to know before any part: what there is.

    ``parts`` are by experiment; each of ``experiments`` has one.
    """
    return {
        "schema": 1,
        "count": sum(part["count"] for part in parts.values()),
        "experiments": {
            one.name: {
                "count": parts[one.name]["count"],
                "first": _choose_first(parts[one.name], one),
                "baselines": {family.name: family.baseline for family in one.families},
                "kinds": {program.name: program.kind for program in one.programs},
            }
            # What has no page of its own in the navigation comes last.
            for one in sorted(
                experiments, key=lambda it: it.navigation.place if it.navigation else inf
            )
        },
    }


def _choose_first(part: Part, experiment: Experiment) -> Part:
    """Choose what Explore begins with: the first family that was measured, on all cores."""
    dimensions = part["dimensions"]
    families = [one.name for one in experiment.families]
    families = [one for one in families if one in dimensions["family"]["values"]]
    most: dict[int, int] = {}
    machines, cores = (_list_codes(part, name) for name in ("machine", "cores"))
    for machine, place in zip(machines, cores, strict=True):
        most[machine] = max(most.get(machine, 0), int(dimensions["cores"]["values"][place]))
    return {"family": families[:1], "cores": sorted(map(str, set(most.values())))} if most else {}


def _list_codes(part: Part, dimension: str) -> Sequence[int]:
    return part["dimensions"][dimension]["codes"] or [0] * part["count"]


def _make_row(evidence: Evidence, judged: Judgement) -> dict[str, Any]:
    speedup = judged.speedup
    # By how much the baseline differs from itself says nothing.
    spread = None if judged.baseline is judged.record else speedup
    return {
        **{name: getattr(judged.record, name) for name in CELL},
        "machine": evidence.machine.id,
        "kind": evidence.experiment.program(judged.program).kind,
        "profile": judged.record.profile,
        "status": judged.record.status,
        "verdict": judged.verdict,
        "outdated": "yes" if judged.variant in evidence.outdated else "no",
        "speedup": speedup and speedup.median,
        "speedup_low": spread and spread.low,
        "speedup_high": spread and spread.high,
        "cpu_ratio": _divide_cpu(judged),
        **{name: judged.median(name) for name in SHOWN},
    }


def _divide_cpu(judged: Judgement) -> float | None:
    own_s = judged.median("cpu_s")
    base_s = judged.baseline and Judgement(record=judged.baseline).median("cpu_s")
    return own_s / base_s if own_s is not None and base_s else None


def _encode(column: Sequence[object]) -> Part:
    """Values in the order in which they come, as texts; nothing is empty."""
    texts = ["" if value is None else str(value) for value in column]
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    codes = [places[text] for text in texts] if len(places) > 1 else []
    return {"values": list(places), "codes": codes}


def _round(value: float | None) -> float | None:
    if value is None or not isfinite(value):
        return None
    short = float(f"{value:.4g}")
    return int(short) if short.is_integer() else short


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
            "source": {
                "site": words.term("explore", "source_site"),
                "file": words.term("explore", "own"),
            },
        },
        "units": {name: words.term("unit", name) for name in ("s", "MiB")},
    }
    text = htmlsafe_json_dumps(told, ensure_ascii=False)
    return render("explore.html", words=words, root=root, told=text)


_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


def join_modules(folder: Path) -> str:
    """Join the modules of a folder into one script; no browser loads a module from a file."""
    modules = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.js")}
    needs = {name: [found[2] for found in _IMPORT.finditer(text)] for name, text in modules.items()}
    parts = ['(() => {\n"use strict";']
    for name in TopologicalSorter(needs).static_order():
        body = _EXPORT.sub("", _IMPORT.sub(r"const \1 = $\2;", modules[name]))
        given = ", ".join(found[1] for found in _EXPORT.finditer(modules[name]))
        parts.append(f"const ${name} = (() => {{\n{body}return {{ {given} }};\n}})();")
    return "\n".join((*parts, "})();\n"))
