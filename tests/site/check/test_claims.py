"""Claims are read by a person until they change; claim, verdict, title and answer turn together."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import structs

from making import make_record, make_variant, replace
from poolwise.declaration import MalformedDeclaration
from scripts.site.check.claims import (
    find_objection,
    find_objections,
    find_unequal,
    find_unread,
    find_unsaid,
    note_reviewed,
)
from scripts.site.declare.claims import Where
from scripts.site.declare.declarations import Declarations
from scripts.site.judge.claims import check_machines
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.rows import list_records
from scripts.site.render.claims import Summary, show_evidence
from scripts.site.render.words import load_words
from scripts.site.study.machines import OtherMachines
from tests.factories import (
    CLAIMS,
    PLAIN,
    POOL,
    make_choice,
    make_claim,
    make_comparison,
    make_experiment,
    make_side,
)
from tests.site.render.markup import make_evidence

ID = "two-is-faster"


def declare(folder: Path, old: str = "", new: str = "") -> Declarations:
    (folder / "claims.toml").write_text(CLAIMS.replace(old, new), encoding="utf-8")
    claims = {"lab": (make_claim(make_comparison(), id=ID),)}
    return Declarations(experiments={"lab": make_experiment(folder)}, claims=claims)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("margin = 1.2", "margin = 3.0"),
        ('"less"', '"more"'),
        ("as fast", "as slow"),
        ("быстрее", "медленнее"),
        ('cores = "several"', 'cores = "one"'),
    ],
)
def test_what_nobody_has_read_as_it_is_is_told_with_its_line_until_somebody_does(
    tmp_path: Path, old: str, new: str
) -> None:
    path = tmp_path / "reviewed.toml"
    (problem,) = find_unread(path, declare(tmp_path))
    assert (problem.path, problem.line) == (tmp_path / "claims.toml", 3)
    assert f"{ID}: is new or has changed" in problem.message
    assert note_reviewed(path, declare(tmp_path)) == [ID]
    assert list(find_unread(path, declare(tmp_path))) == []
    changed = declare(tmp_path, old, new)
    assert len(list(find_unread(path, changed))) == 1
    assert note_reviewed(path, changed) == [ID]
    assert list(find_unread(path, changed)) == []


def test_a_note_on_a_claim_that_has_gone_is_told_and_then_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "reviewed.toml"
    note_reviewed(path, declare(tmp_path))
    path.write_text(path.read_text() + 'gone = "12345678"\n')
    (problem,) = find_unread(path, declare(tmp_path))
    assert "gone: there is no such claim" in problem.message
    assert note_reviewed(path, declare(tmp_path)) == []
    assert "gone" not in path.read_text()


def test_a_file_of_something_else_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "reviewed.toml").write_text('a = ["12345678", "why"]\n', encoding="utf-8")
    with pytest.raises(MalformedDeclaration, match=r"reviewed\.toml:1: Expected"):
        list(find_unread(tmp_path / "reviewed.toml", declare(tmp_path)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("schema = 3\n", 'schema = 3\n[at]\nio = { tasks = "pages" }\n'),
        ('topic = "io"\n', 'topic = "io"\nat = { tasks = "pages" }\n'),
    ],
)
def test_a_claim_that_readers_meet_first_says_what_makes_its_number(
    tmp_path: Path, old: str, new: str
) -> None:
    met = replace(declare(tmp_path), first=[ID])
    (problem,) = find_unsaid(met)
    assert (problem.line, ID in problem.message) == (
        CLAIMS.splitlines().index("[[claims]]") + 1,
        True,
    )
    assert list(find_unsaid(replace(met, first=[]))) == []
    declare(tmp_path, old, new)
    assert list(find_unsaid(met)) == []


@pytest.mark.parametrize(
    ("changes", "differs"),
    [
        ({}, False),
        ({"right": make_side(PLAIN, family="many")}, True),
        ({"right": make_side(PLAIN, family="same")}, False),
        ({"right": make_side(PLAIN, tasks=10)}, True),
        ({"right": make_side(PLAIN, tasks=30)}, False),
        ({"right": 3.0}, False),
    ],
)
def test_sides_that_do_other_work_are_told_unless_their_claim_says_so(
    tmp_path: Path, changes: dict[str, object], differs: bool
) -> None:
    (tmp_path / "claims.toml").write_text(CLAIMS, encoding="utf-8")
    plain = make_experiment(tmp_path)
    io = plain.family("io")
    more = (
        replace(io, name="many", params={"ROWS": "2"}),
        replace(io, name="same", params={"SCALE": "1"}),
    )
    experiment = replace(plain, families=(*plain.families, *more))
    for said in (False, True):
        claim = make_claim(make_comparison(**changes), id=ID, different_work=said)
        declared = Declarations(experiments={"lab": experiment}, claims={"lab": (claim,)})
        problems = [problem.message for problem in find_unequal(declared)]
        assert bool(problems) == (said != differs)
        assert all(ID in message for message in problems)


EN = load_words("en")
CLAIM = make_claim(
    make_comparison(margin=1.2),
    id="some-claim",
    says={"en": "A pool is faster: {left}."},
    instead={"other-way": {"en": "Here a loop is faster: {right}."}},
)
FAST, SLOW = [1.0] * 5, [3.0] * 5


def measure(plain: Sequence[float], pool: Sequence[float]) -> Evidence:
    walls = {PLAIN: plain, POOL: pool}
    return make_evidence(make_record(make_variant(program=one), walls[one]) for one in walls)


def test_a_program_inverted_by_hand_turns_claim_verdict_title_and_answer_together() -> None:
    for plain, pool, verdict, said in (
        (SLOW, FAST, "recommended", "A pool is faster: 1.0 s."),
        (FAST, SLOW, "gains nothing", "Here a loop is faster: 1.0 s."),
    ):
        evidence = measure(plain, pool)
        (checked,) = check_machines("lab", [CLAIM], [evidence])
        (judged,) = evidence.rows.where(program=POOL)
        assert judged.verdict == verdict
        sentence = Summary(checked, EN).sentence
        assert sentence.striptags() == said
        assert (sentence in show_evidence(make_choice(), checked, EN)) == (verdict == "recommended")
        is_bad = find_objection(POOL, checked, evidence)
        assert bool(is_bad) == (verdict == "gains nothing")


def test_advice_for_several_cores_is_not_held_against_a_machine_with_one() -> None:
    evidence = measure(plain=FAST, pool=SLOW)
    claim = structs.replace(CLAIM, where=Where(cores="several"))
    (checked,) = check_machines("lab", [claim], [evidence])
    assert not find_objection(POOL, checked, evidence)


NOISY = [0.2, 1.9, 1.0, 0.5, 0.7]


@pytest.mark.parametrize(("walls", "told"), [(SLOW, "is refuted"), (NOISY, "is open"), (FAST, "")])
def test_a_row_has_to_hold_on_the_machine_with_most_records_and_on_no_other(
    monkeypatch: pytest.MonkeyPatch, walls: Sequence[float], told: str
) -> None:
    elsewhere = measure([1.5] * 5, SLOW)
    shown = make_evidence(
        [
            *list_records([measure([1.5] * 5, walls)]),
            make_record(make_variant(program="08-cpu-sequential", family="cpu")),
        ]
    )
    monkeypatch.setattr(OtherMachines, "judge", lambda *_: (elsewhere, shown))
    declared = Declarations(
        experiments={"lab": make_experiment()},
        claims={"lab": (CLAIM,), "answers": ()},
        choices=(make_choice(),),
    )
    objections = list(find_objections(Path(), declared))
    assert len(objections) == bool(told)
    assert told in "".join(objections)
