"""An answer is text for a person, and JSON with everything that it rests on."""

import json
import sys
from argparse import Namespace
from pathlib import Path

from poolwise.comparison import Contender, Lap
from poolwise.load import Load
from poolwise.process import Command
from poolwise.pythons import describe_python
from poolwise.report import Report, list_cells, make_json, print_report
from poolwise.statistics import Estimate
from poolwise.words import Message, Words

PYTHON = describe_python(Path(sys.executable))
CHOSEN = Namespace(
    command="try", command_line=["poolwise", "try", "…"], budget=5.5, limit=30.0, export_json=None
)
ANSWER = [Message("Use a pool of 4 threads."), Message("It waits.")]
FAULT = Message("processes can't get it")


def make_contender(name: str, inside_s: float | None = None) -> Contender:
    lap = Lap(wall_s=1.5, inside_s=inside_s, cpu_s=0.3, load=Load(0.5, 0.0, 2), printed="secret")
    command = Command(argv=(name,), env={}, cwd=Path("/"))
    return Contender(name=name, command=command, laps=[lap, lap], times_s=[1.25, 1.25])


def make_report(**fields: object) -> Report:
    first, second = make_contender("a|b.py"), make_contender("b.py")
    second.ratio = Estimate(median=2.064, low=1.9, high=2.2)
    second.peak_pss_bytes = 9_240_000
    order = [first, second]
    defaults = {"outcome": "use", "answer": ANSWER, "python": PYTHON, "order": order}
    return Report(**(defaults | fields))


def test_the_verdict_comes_first_and_alone_where_it_is_to_be_quiet(capsys):
    report = make_report(program="print(1)", folder="/here", faults=[FAULT])
    print_report(report, Words(), quiet=True)
    printed = capsys.readouterr()
    assert printed.out == "Use a pool of 4 threads.\n"
    assert printed.err == "Left out: processes can't get it\n"
    print_report(report, Words(), quiet=False)
    printed = capsys.readouterr()
    assert printed.out.startswith("Use a pool of 4 threads.\nIt waits.\n\n")
    assert printed.out.endswith("\n\nIn /here:\n\nprint(1)\n")
    assert printed.err == ""


def test_an_answer_without_a_contest_has_no_table(capsys):
    print_report(make_report(answer=ANSWER[:1], order=()), Words(), quiet=False)
    assert capsys.readouterr().out == "Use a pool of 4 threads.\n"


def test_a_table_has_the_columns_that_say_something_in_the_numbers_of_the_language():
    head, first, second = list_cells(make_report(), Words("ru"))
    assert head == ["", "время, с", "× к первой", "ядра", "пик PSS, МБ"]
    assert first == ["a|b.py", "1,25", "1", "0,2", ""]
    assert second == ["b.py", "1,25", "2,06 (1,9–2,2)", "0,2", "9,24"]
    timed = make_report(order=[make_contender("a.py", inside_s=1.25)], names={"a.py": FAULT})
    assert list_cells(timed, Words())[0] == ["", "time s", "× the first", "start s", "cores"]
    assert list_cells(timed, Words())[1][0] == "processes can't get it"


def test_json_says_where_when_and_on_what_everything_was_measured_and_not_what_was_printed() -> (
    None
):
    tried = [{"way": "threads", "workers": 4, "times_s": [1.0], "fault": FAULT}]
    text = make_json(make_report(tried=tried), CHOSEN, Words())
    kept = json.loads(text)
    assert (kept["schema"], kept["budget_s"], kept["outcome"]) == (1, 5.5, "use")
    assert kept["python"]["id"] == PYTHON.interpreter.id
    assert "psutil" in kept["packages"]
    assert kept["load"] == {"others": 0.5, "stolen": 0.0, "cores": 2}
    assert kept["machine"]["logical_cores"] >= 1
    assert kept["winner"] == "a|b.py"
    assert kept["tried"] == [tried[0] | {"fault": "processes can't get it"}]
    assert [len(row["laps"]) for row in kept["rows"]] == [2, 2]
    assert "secret" not in text
    unknown = json.loads(make_json(make_report(outcome="not-known", order=()), CHOSEN, Words()))
    assert (unknown["winner"], unknown["load"], unknown["rows"]) == (None, None, [])
