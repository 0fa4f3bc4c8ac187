"""The figures of one program tell its rows apart."""

from scripts.site.render.tables import show_everywhere
from scripts.site.render.words import load_words
from tests.factories import make_record, make_variant
from tests.site.render.markup import make_evidence, read

EN = load_words("en")
SEQUENTIAL = "01-io-sequential"


def show(*methods: str) -> str:
    records = [
        make_record(make_variant(program=SEQUENTIAL, start_method=method)) for method in methods
    ]
    return read(show_everywhere(make_evidence(records), EN, SEQUENTIAL))


def test_rows_of_several_start_methods_name_them_and_others_do_not() -> None:
    several = show("fork", "spawn")
    assert several.count("1 worker, fork") == several.count("1 worker, spawn") == 1
    assert ", fork" not in show("fork")
