"""A measured quantity that is typed into a page is found in the words of its language."""

import re

from scripts.site.check.quantities import find_quantities


def find(text: str) -> list[str]:
    language = "ru" if re.search("[а-я]", text) else "en"
    lines = enumerate(text.splitlines(), 1)
    return [message for _, message in find_quantities(lines, language)]


MEASURED = [
    "It takes 3 s.",
    "It takes 3.5\N{NO-BREAK SPACE}seconds.",
    "about 120 ms",
    "within 5–7 s",
    "It ran for 2 minutes.",
    "За 12 с и ещё немного.",
    "Это 0,5 секунды.",
    "всего 40 мс",
    "It needs 30 MB.",
    "and 28.9 MiB each",
    "Нужно 16 КБ на поток.",
    "3× faster",
    "a gain of 2.5x",
    "ускорение ×4",
    "3 times faster",
    "It is twice as fast.",
    "в 3 раза быстрее",
    "в два раза меньше",
    "вдвое быстрее",
    "It uses 95 % of the CPU.",
    "загрузка 95%",
    "a 40 per cent gain",
]


def test_a_typed_measurement_is_found() -> None:
    assert [text for text in MEASURED if not find(text)] == []


UNMEASURED = [
    "Thirty pages, 30 threads, 21 tasks.",
    "Since Python 3.13, on 2 cores.",
    "A setting such as `5 ms` or `--limit 20MB`.",
    "```\ntook 3 s\n```",
    "~~~~\ntook 3 s\n```\n3 s\n~~~~",
    "A [link](https://example.org/3s/40%) to 2020.",
    "with its 95 % bootstrap interval",
    "95-процентный интервал, 95 % интервал",
    "Программа 12 с пулом процессов.",
    "Строка 09 с потоками.",
    "It announces twice the cores it has.",
    "Объявляет вдвое больше ядер.",
    "### 3 s {#three}".replace("3 s", "Three"),
]


def test_what_is_no_measurement_passes() -> None:
    assert [text for text in UNMEASURED if find(text)] == []


def test_what_a_source_said_passes_where_it_is_marked() -> None:
    quote = "> It took 29 s, then 17 s.\n> A 40 % gain."
    assert find(quote)
    assert find(f"{quote}\n{{.original}}") == []
    assert find(f"{quote}\n{{.original}}\n\nOurs took 3 s.")


def test_a_space_may_be_written_as_an_entity() -> None:
    assert find("It takes 5&nbsp;ms.") != []


def test_the_line_is_that_of_the_quantity() -> None:
    lines = list(enumerate(["# Title", "", "Fine.", "", "It takes", "3 s."], 1))
    assert [line for line, _ in find_quantities(lines, "en")] == [6]
