"""The overview is a row for each program and work, however much more was measured."""

import re

from scripts.site.page.weight import count_elements
from scripts.site.render.tables import show_overview
from scripts.site.render.words import load_words
from tests.factories import make_interpreter, make_record, make_variant
from tests.site.render.markup import make_evidence

EN = load_words("en")
PROGRAMS = ("01-io-sequential", "04-io-thread_pool")


def show(cores: tuple[int, ...], pythons: tuple[str, ...] = ("cpython-3.13.0",)) -> str:
    records = [
        make_record(make_variant(program=program, cores=count, interpreter=python), [1.0] * 5)
        for program in PROGRAMS
        for count in cores
        for python in pythons
    ]
    return show_overview(make_evidence(records, [make_interpreter(id=id_) for id_ in pythons]), EN)


def list_rows(shown: str) -> list[tuple[str, str]]:
    """The program and the cores of each row."""
    return [
        (program, cores)
        for cores, program in re.findall(r'<tr [^>]*data-cores="(\d+)".*?<a [^>]*>([^<]+)', shown)
    ]


def test_each_program_has_a_row_on_all_cores_and_one_on_one() -> None:
    assert list_rows(show((1, 2, 4, 8))) == [(one, cores) for cores in "81" for one in PROGRAMS]
    assert list_rows(show((1,))) == [(one, "1") for one in PROGRAMS]


def test_more_cores_make_it_no_longer_and_a_python_adds_what_chooses_it() -> None:
    """An option and a script, from which the script takes its rows."""
    pythons = tuple(f"cpython-3.{minor}.0" for minor in range(9, 16))
    many, plain = show((1, 2, 4, 8, 16, 32, 64), pythons), show((1, 2))
    assert count_elements(many) <= count_elements(plain) + 2 * len(pythons) + 2
    assert count_elements(show((1, 2, 4, 8))) == count_elements(plain)
