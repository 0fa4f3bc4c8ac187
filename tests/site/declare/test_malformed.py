"""Whatever is malformed is told in one sentence with its file, line and key, never by a traceback.

Each case changes a good file in one place. The line that is named is the one that was changed, but
for what is missing or cannot be parsed.
"""

import re
from pathlib import Path

import pytest

from making import DECLARATION, write_experiment
from poolwise.declaration import MalformedDeclaration
from scripts.site.declare.declarations import load_declarations
from tests.factories import CHOICES, CLAIMS, ORIGINALS

QUESTIONS = """
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
GOOD = {
    "experiment.toml": DECLARATION,
    "claims.toml": CLAIMS + QUESTIONS,
    "choices.toml": CHOICES,
    "originals.csv": ORIGINALS,
}
Case = tuple[str, str, str]
"""What of the good file becomes what, and the key that the message names, as a pattern."""

BILLION = "1000000000"
TITLE = 'title = { en = "Waiting", ru = "Ожидание" }'
TIMES = "timeout_s = 10\n"
QUICK = r"profiles\.quick\."
SWEEP = QUICK + r"sweeps\[0\]\."
ONE = r"claims\[0\]\."
ALL = ONE + r"all\[0\]\."
SAID = ONE + r"says\."
CHOICE = r"choices\[0\]\."

EXPERIMENT: list[Case] = [
    # files
    ('["tasks.py"]', '["../../../etc/passwd"]', r"shared\[0\]"),
    ('file = "one.py"', 'file = "../lab/one.py"', r"programs\[0\]\.file"),
    # numbers
    (TIMES, "timeout_s = nan\n", QUICK + "timeout_s"),
    ("trials = 5", f"trials = {BILLION}", QUICK + "trials"),
    ("tasks = 3\n", f"tasks = {BILLION}\n", r"programs\[0\]\.tasks"),
    (TITLE, TITLE + "\nlongest_task_share = 1.5", r"families\.io\.longest_task_share"),
    # kinds and start methods
    ('kind = "threads"\n', 'kind = "async"\n', r"programs\[1\]\.kind: .*coroutines"),
    ('kind = "threads"\n', 'kind = "threads + threads"\n', r"programs\[1\]\.kind: .*each once"),
    ('kind = "threads"\n', 'kind = "sequential + threads"\n', r"programs\[1\]\.kind"),
    # names and texts
    ('source = "us"', 'source = "gossip"', "source: 'gossip'"),
    ('title = { en = "Lab", ru', 'title = { en = "Lab", de', r"navigation\.title: .*'ru'"),
    ("[terms.topics]", "[terms.mood]", r"terms\.mood: .*topics, source, origin"),
    ('en = "an article", ', "", r"terms\.source\.an-article: .*'en'"),
    (TITLE, 'title = { en = "Waiting" }', r"families\.io\.title: .*'ru'"),
    (TITLE, 'title = { en = "W\\u202E", ru = "О" }', r"families\.io\.title\.en"),
    (TITLE, f'title = {{ en = "{"W" * 100_000}", ru = "О" }}', r"families\.io\.title\.en"),
    ('families = ["io"]', 'families = ["io", "io"]', r"programs\[0\]\.families: .*twice"),
    ("[families.io]", "[families.'a b']", r"families\.'a b'"),
    ("server = false", 'server = false\nreadings = ["time"]', "readings"),
    # parameters and results
    ('{ SIZE = "3" }', "{ SIZE = 3 }", QUICK + "params"),
    ("[profiles.quick]", "[profiles.huge]", r"profiles\.huge"),
]
CLAIM: list[Case] = [
    ("margin = 1.2", "margin = 0.5", ALL + "margin"),
    # what makes the number
    ("schema = 3", 'schema = 3\nat.net = { tasks = "pages" }', r"at\.net: .*there are io"),
    ("schema = 3", 'schema = 3\nat.io = { ROWS = "rows" }', r"at\.io\.ROWS: .*SIZE, cores"),
    ("schema = 3", 'schema = 3\nat.io = { tasks = "sheep" }', r"at\.io\.tasks: 'sheep'"),
    ('id = "two', 'at = { tasks = "sheep" }\nid = "two', ONE + "at.tasks: .*'sheep'"),
    ("schema = 3", 'schema = 3\nnames.six = { en = "six", ru = "шесть" }', r"names\.six: .*'six'"),
    ("schema = 3", 'schema = 3\nnames.one = { en = "one" }', r"names\.one: .*no text in 'ru'"),
    ("[claims.says]", '[claims.instead.less]\nen = "So."\n[claims.says]', ONE + r"instead\.less: "),
    (
        "[claims.says]",
        '[claims.instead.more]\nen = "So."\n[claims.says]',
        ONE + r"instead\.more: .*apart",
    ),
    ('right = "one"', "right = 0", ALL + "right"),
    ('right = "one"', 'right = "three"', ONE + "all"),
    ('left = "two"', 'left = { program = "two", tasks = 0 }', ALL + "left"),
    ('left = "two"', 'left = { program = "two", size = 3 }', ALL + r"left\.size"),
    ('left = "two"', 'left = { program = "two", family = "cpu" }', ONE + "all.*family 'cpu'"),
    ('relation = "less"', 'relation = "smaller"', ALL + "relation: .*'smaller'"),
    ("margin = 1.2", "margin = 1.2, every = true", ALL + "every: .*each trial"),
    ('metric = "wall_s"', 'metric = "time"', ALL + "metric: .*'time'"),
    ('topic = "io"', 'topic = "io"\ncolour = "red"', ONE + "colour"),
    ('id = "two-is-faster"', 'id = "two is faster"', ONE + "id"),
    ('topic = "io"', 'topic = "gossip"', ONE + "topic: .*'gossip'"),
    ('source = "us"', 'source = "gossip"', ONE + "source: .*'gossip'"),
    ('origin = "01"', 'origin = "somewhere"', ONE + "origin: .*'somewhere'"),
    ('python = "3.13"', 'python = "three"', ONE + r"where\.python"),
    ('cores = "several"', "cores = 4", ONE + r"where\.cores"),
    ("{left} on", "{left.__class__} on", SAID + "en"),
    ("{left} on", "{left on", SAID + "en"),
    ("{left} on", "{left|cores} on", SAID + "en"),
    ("{left} on", "{margin} on", SAID + "en"),
    ('{cores|cores}."\nru', '{cores|apples}."\nru', SAID + "en: .*'apples'"),
    ('en = "Threads are', 'en = "" #', SAID + "en"),
    ("schema = 3", "schema = 2", "schema"),
    ('right = "one"', "right = 0.9", ALL + "margin: .*leave the margin out"),
    ('right = "one"', "of_cores = 0.9", ALL + "of_cores: .*only cpu_share has a share"),
    ('right = "one"', 'over = "tasks"', ALL + "relation: .*'less' is no relation of such"),
    ('right = "one"', 'right = 0.9, over = "tasks"', ALL + "right: .*with one thing"),
    ('right = "one"', 'of_cores = "0.9"', ALL + "of_cores"),
    ('right = "one"', 'over = "time"', ALL + "over"),
    ("{left} on", "{left2} on", SAID + r"en: .*nothing gives \{left2\}"),
    ("{ratio|fold}", "{ratio|often}", SAID + r"en: .*\{ratio\} has no form 'often'"),
    ("{left} on", "{left|times} on", SAID + r"en: .*\{left\} has no form 'times'"),
    ("{left} on", "{cores2} on", SAID + r"en: .*no such placeholder \{cores\}"),
    ("[questions.io]", "[questions.net]", r"questions\.net"),
    ('weigh = "inside_s"', 'weigh = "inside"', r"questions\.io\.weigh"),
    ('"one", "two"', '"one", "three"', r"questions\.io\.contend"),
    ('"cpu_s", ', '"cpu", ', r"questions\.io\.costs\[0\]"),
    ('metric = "lag_max_s"', 'metric = "lag"', r"questions\.io\.disqualify\[0\]\.metric"),
    ("above = 0.1", "above = -1.0", r"questions\.io\.disqualify\[0\]\.above"),
    (', ru = "Как быстрее?"', "", r"questions\.io\.ask"),
]
ANSWERS: list[Case] = [
    ('id = "an-answer"', 'id = "An answer"', CHOICE + "id"),
    ('take = "lab/one"', 'take = "../lab/one"', CHOICE + "take"),
    ('take = "lab/one"', 'take = "lab/one"\nfamily = "cpu"', CHOICE + "family"),
    ('take = "lab/one"', 'take = "lab/one"\nanswer = "none"', CHOICE + "answer: .*'none'"),
    ("lab/one", "lab/three", CHOICE + "take: .*does not compare 'lab/three'"),
    ("lab/one", "barn/one", CHOICE + "take: .*does not compare 'barn/one'"),
    ("two-is-faster", "three-is", CHOICE + "claim: .*'three-is'"),
    ('work = ["waiting"]', 'work = ["sleeping"]', CHOICE + r"work\[0\]"),
    ('work = ["waiting"]', "work = []", CHOICE + "work"),
    ('work = ["waiting"]', 'work = ["waiting"]\ncores = ["many"]', CHOICE + r"cores\[0\]"),
    ('why = { en = "So."', 'why = { en = ""', CHOICE + r"why\.en"),
    ('why = { en = "So."', 'why = { de = "So."', CHOICE + "why: .*'en'"),
    *(
        (f'{key} = {{ en = "So."', f'{key} = {{ en = ""', rf"{CHOICE}{key}\.en")
        for key in ("situation", "advice", "unless")
    ),
    ("[[choices]]", "[choices]", "choices"),
    ("[[choices]]", 'mistakes.barn = ["threads"]\n[[choices]]', r"mistakes\.barn: .*'barn'"),
]
FIGURES: list[Case] = [
    (",one,,17.39", ",three,,17.39", "program: .*'three'"),
    ("ours,4,,,one,,9,,,", "ours,4,,,one,,9,,,,", "another number of cells"),
]


def write(folder: Path, name: str, text: str) -> Path:
    """A copy of what is good but for one file."""
    write_experiment(folder / "examples" / "lab")
    for other, good in GOOD.items():
        locate(folder, other).write_text(text if other == name else good, encoding="utf-8")
    return locate(folder, name)


def locate(folder: Path, name: str) -> Path:
    return folder / name if name == "choices.toml" else folder / "examples" / "lab" / name


def tell(folder: Path) -> str:
    try:
        load_declarations(folder / "examples", folder / "choices.toml")
    except MalformedDeclaration as error:
        return str(error)
    return "nothing"


def find_changed_line(old: str, new: str) -> int:
    pairs = zip(old.split("\n"), new.split("\n"), strict=False)
    return next(number for number, (before, after) in enumerate(pairs, start=1) if before != after)


def test_what_is_changed_here_is_good(tmp_path: Path) -> None:
    write(tmp_path, "", "")
    assert tell(tmp_path) == "nothing"


@pytest.mark.parametrize(
    ("name", "cases"), [*zip(GOOD, (EXPERIMENT, CLAIM, ANSWERS, FIGURES), strict=True)], ids=GOOD
)
def test_it_is_told_in_one_sentence_with_file_line_and_key(
    tmp_path: Path, name: str, cases: list[Case]
) -> None:
    path = write(tmp_path, "", "") and locate(tmp_path, name)
    wrong = []
    for old, new, key in cases:
        assert old in GOOD[name]
        changed = GOOD[name].replace(old, new, 1)
        path.write_text(changed, encoding="utf-8")
        message = tell(tmp_path).partition("\n")[0]  # what goes with it follows
        line = find_changed_line(GOOD[name], changed)
        match = re.fullmatch(rf"{re.escape(str(path))}:{line}: {key}.*", message)
        if not (match and message.isprintable() and len(message) < 1000):
            wrong.append((old, new, message))
    assert wrong == []


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize(
    "data", [b"\n\xff\xfe", b"\x00", b"= ="], ids=["no-utf-8", "null", "no-toml"]
)
def test_a_file_that_cannot_be_read_is_told_in_one_sentence(
    tmp_path: Path, name: str, data: bytes
) -> None:
    path = write(tmp_path, name, "")
    path.write_bytes(data)
    message = tell(tmp_path)
    assert message.startswith(f"{path}:2: not UTF-8" if b"\xff" in data else f"{path}:")
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize("key", ["relation", "topic"])
def test_all_mistakes_of_a_file_are_told_at_once(tmp_path: Path, key: str) -> None:
    path = write(tmp_path, "", "") and locate(tmp_path, "claims.toml")
    head, mark, claim = CLAIMS.partition("[[claims]]")
    good = [mark + claim.replace("two-is-faster", f"claim-{number}") for number in range(3)]
    bad = [text.replace(f'{key} = "', f'{key} = "?', 1) for text in good]
    path.write_text(head + bad[0] + good[1] + bad[2], encoding="utf-8")
    faults = tell(tmp_path).splitlines()
    assert [fault.partition("claims[")[2][0] for fault in faults] == ["0", "2"]
    assert all(f"{key}: " in fault for fault in faults)
