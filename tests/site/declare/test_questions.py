"""Questions are read by family from the file of the claims; what names nothing is told with its key."""

from pathlib import Path

import pytest

from scripts.harness.declaration import MalformedDeclaration
from scripts.harness.experiment import load_experiment
from scripts.site.declare.claims import load_questions
from tests.factories import write_experiment

GOOD = """
[questions.io]
weigh = "inside_s"
ask = { en = "Which way is the fastest?", ru = "Как быстрее?" }
contend = ["one", "two"]
costs = ["cpu_s", "peak_pss_bytes"]
[[questions.io.disqualify]]
metric = "lag_max_s"
above = 0.1
why = { en = "it stops the event loop", ru = "останавливает цикл событий" }
"""


def load(folder: Path, text: str) -> object:
    write_experiment(folder)
    (folder / "claims.toml").write_text(text, encoding="utf-8")
    return load_questions(load_experiment(folder))


def test_a_question_says_what_is_weighed_and_what_is_out_of_the_question(tmp_path: Path) -> None:
    found = load(tmp_path, GOOD)
    assert isinstance(found, dict)
    question = found["io"]
    assert (question.weigh, question.tie) == ("inside_s", 1.25)
    assert [one.above for one in question.disqualify] == [0.1]


@pytest.mark.parametrize(
    ("part", "change", "key"),
    [
        ("questions.io]", "questions.net]", "questions.net"),
        ('weigh = "inside_s"', 'weigh = "inside"', "questions.io.weigh"),
        ('"one", "two"', '"one", "three"', "questions.io.contend"),
        ('"cpu_s", ', '"cpu", ', r"questions.io.costs\[0\]"),
        ('metric = "lag_max_s"', 'metric = "lag"', r"questions.io.disqualify\[0\].metric"),
        ("above = 0.1", "above = -1.0", r"questions.io.disqualify\[0\].above"),
        (', ru = "Как быстрее?"', "", "questions.io.ask"),
    ],
)
def test_what_names_nothing_is_told_with_file_line_and_key(
    tmp_path: Path, part: str, change: str, key: str
) -> None:
    text = GOOD.replace(part, change)
    if part == "questions.io]":
        text = text.replace("questions.io.", "questions.net.")
    with pytest.raises(MalformedDeclaration, match=rf"claims\.toml:\d+: {key}"):
        load(tmp_path, text)
