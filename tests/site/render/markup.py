"""What tests of charts share: judged records, and what a reader finds in a chart."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import unescape
from xml.etree import ElementTree as ET

from making import make_interpreter, make_machine
from poolwise.experiment import Experiment
from poolwise.pythons import Interpreter
from poolwise.record import Record
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.judge import judge_records
from tests.factories import make_experiment

SVG = "{http://www.w3.org/2000/svg}"


def list_pythons(records: Iterable[Record]) -> list[Interpreter]:
    """Pythons built alike, one for each that records name."""
    return [make_interpreter(id=id_) for id_ in dict.fromkeys(one.interpreter for one in records)]


def make_evidence(
    records: Iterable[Record],
    interpreters: Sequence[Interpreter] = (make_interpreter(),),
    experiment: Experiment | None = None,
    machine: str = "box",
) -> Evidence:
    experiment = experiment or make_experiment()
    return Evidence(
        experiment=experiment,
        profile="quick",
        machine=make_machine(id=machine),
        interpreters=tuple(interpreters),
        judgements=judge_records(experiment, records),
        generated_at=datetime(2026, 1, 2, tzinfo=UTC),
    )


def read_picture(chart: str) -> ET.Element:
    return ET.fromstring(re.findall(r"<svg.*?</svg>", chart, re.DOTALL)[0])


def read_tooltips(chart: str) -> list[str]:
    points = read_picture(chart).iterfind(f".//*[@class='point']/{SVG}title")
    return [str(title.text).replace("\N{NO-BREAK SPACE}", " ") for title in points]


def read_texts(chart: str) -> list[str]:
    """Texts of the picture in the order in which they are drawn."""
    return ["".join(text.itertext()) for text in read_picture(chart).iter(f"{SVG}text")]


def read(markup: str) -> str:
    """The text as a reader sees it, spaces made plain."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", re.sub("</?bdi>", "", markup))).split())


def read_rows(markup: str) -> list[list[str]]:
    """The texts of each row of a table's body, its header first."""
    rows = re.findall(r"<tr>(.*?)</tr>", markup.partition("<tbody>")[2], re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[read(cell) for cell in row] for row in cells]
