"""A sentence that says something else than its claim tests is found, or a person has to read it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from scripts.harness.declaration import MalformedDeclaration, read_toml
from scripts.harness.experiment import Experiment
from scripts.site.check.sentences import (
    digest_claim,
    find_contradictions,
    find_misstatements,
    find_unread,
)
from scripts.site.declare.claims import (
    SWEPT,
    WITHIN,
    Claim,
    Comparison,
    Relation,
    Side,
    load_claims,
)
from scripts.site.declare.declarations import Declarations
from tests.declared import DECLARED
from tests.factories import TERMS, make_experiment

FASTER = 'metric = "inside_s", left = "04-io-thread_pool", right = "01-io-sequential", relation = "less", margin = 2.0'
EN = "Threads wait at least {margin|fold} as fast as the sequential program: {left} and {right}."
RU = "Потоки ждут как минимум {margin|fold} быстрее последовательной программы: {left} и {right}."
SHARE = 'metric = "cpu_share", left = "04-io-thread_pool", right = 0.25, relation = "less"'
BUSY = "Threads keep less than {right} of one core busy: {left}."
BUSY_RU = "Потоки занимают меньше {right} одного ядра: {left}."


def declare(
    folder: Path, condition: str = FASTER, en: str = EN, ru: str = RU, more: str = ""
) -> Declarations:
    (folder / "claims.toml").write_text(
        f'schema = 1\n[[claims]]\nid = "a"\ntopic = "io"\nsource = "us"\n{more}\n'
        f"all = [{{ {condition} }}]\ntext = {{ en = '{en}', ru = '{ru}' }}\n",
        encoding="utf-8",
    )
    experiment = make_experiment(folder)
    return Declarations(
        experiments={"lab": experiment}, claims={"lab": load_claims(experiment, TERMS)}
    )


def check(folder: Path, *args: str, **kwargs: str) -> list[str]:
    found = find_misstatements(folder / "reviewed.toml", declare(folder, *args, **kwargs))
    return [message for _, _, message in found]


def test_a_sentence_that_says_its_condition_is_right(tmp_path: Path) -> None:
    assert check(tmp_path) == []
    assert check(tmp_path, SHARE, BUSY, BUSY_RU) == []


@pytest.mark.parametrize(
    ("condition", "en", "ru", "said"),
    [
        (FASTER.replace("less", "more"), EN, RU, "comparison 1 is 'more', but it says"),
        (FASTER.replace("less", "not less"), EN, RU, "comparison 1 is 'not less', but it says"),
        (FASTER.replace(", margin = 2.0", ""), EN, RU, "with the margin 1, which is none"),
        (FASTER, EN.replace("fast", "long"), RU, "en: .* 'less', but it says 'at least"),
        (FASTER, EN, RU.replace("быстрее", "дольше"), "ru: .* 'less', but it says 'как минимум"),
        (
            FASTER.replace(", margin = 2.0", ""),
            "Threads are slower than the sequential program.",
            "Потоки быстрее последовательной программы.",
            "en: .* 'less', but it says 'slower'",
        ),
        (SHARE, BUSY.replace("less than", "more than"), BUSY_RU, "'less', but it says 'more than"),
        (SHARE, BUSY, BUSY_RU.replace("меньше", "не меньше"), "ru: .* says 'не меньше <number>'"),
        (FASTER, f"On one core, {EN}", RU, "says 'On one core', but applies elsewhere too"),
    ],
)
def test_a_sentence_that_says_something_else_is_found(
    tmp_path: Path, condition: str, en: str, ru: str, said: str
) -> None:
    with pytest.raises(AssertionError, match=said):
        assert check(tmp_path, condition, en, ru) == []


def test_what_applies_to_one_core_may_say_so(tmp_path: Path) -> None:
    where = 'where = { cores = "one" }'
    assert check(tmp_path, en=f"On one core, {EN}", ru=f"На одном ядре: {RU}", more=where) == []


@pytest.mark.parametrize(
    ("condition", "en", "said"),
    [
        (FASTER, f"All {EN}", "a quantifier, 'All'"),
        (FASTER, EN.replace(":", ", because they are light:"), "a cause, 'because'"),
        (FASTER, EN.replace(":", ", twice as much:"), "a number of times, 'twice'"),
        (FASTER, EN.replace("wait at least", "wait"), "read 'less'"),
        (FASTER, EN.replace("Threads", "They"), "which side is which"),
        (FASTER.replace("inside_s", "cpu_s"), EN, "that it is about 'cpu_s'"),
        (SHARE, BUSY.replace("{right}", "a part"), "the number that is compared with"),
        (FASTER.replace('"04-io-thread_pool"', '{ program = "04-io-thread_pool", tasks = 3 }'), EN, "which cells"),
    ],
)  # fmt: skip
def test_what_no_machine_can_read_a_person_has_to(
    tmp_path: Path, condition: str, en: str, said: str
) -> None:
    (message,) = check(tmp_path, condition, en, BUSY_RU if condition == SHARE else RU)
    assert "no machine can read" in message
    assert said in message


def note(folder: Path, **lines: str) -> None:
    text = "".join(f'{id_} = ["{digest}", "I read it"]\n' for id_, digest in lines.items())
    (folder / "reviewed.toml").write_text(text, encoding="utf-8")


def test_what_a_person_has_read_is_right_until_it_changes(tmp_path: Path) -> None:
    every = f"All {EN}"
    declare(tmp_path, en=every)
    note(tmp_path, a=digest_claim(read_toml(tmp_path / "claims.toml")["claims"][0]))
    assert check(tmp_path, en=every) == []
    assert "no machine" in check(tmp_path, en=every.replace("wait", "sleep"))[0]
    assert "no machine" in check(tmp_path, FASTER.replace("2.0", "3.0"), en=every)[0]


def test_a_review_that_nothing_needs_is_found(tmp_path: Path) -> None:
    note(tmp_path, a="12345678")
    assert check(tmp_path) == ["a: nothing here needs a review"]


def test_a_review_without_a_reason_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reviewed.toml").write_text('a = "12345678"\n', encoding="utf-8")
    with pytest.raises(MalformedDeclaration, match=r"reviewed\.toml:1: Expected"):
        check(tmp_path)


def mutate(comparison: Comparison) -> Iterator[Comparison]:
    """The comparison with one thing of it changed that its sentence would have to tell."""
    same = {comparison.relation}
    if comparison.margin == 1:  # then these mean the same, and nothing can be equal
        same |= {"equal"} | (
            {"less", "not more"}
            if comparison.relation in ("less", "not more")
            else {"more", "not less"}
        )
    relations: tuple[Relation, ...] = SWEPT if comparison.over else ("less", "more", *WITHIN)
    for relation in relations:
        if relation not in same and (relation in SWEPT) == (comparison.over is not None):
            yield structs.replace(comparison, relation=relation)
    yield structs.replace(comparison, margin=1.0 if comparison.margin > 1 else 1.5)
    for metric in ("inside_s", "wall_s", "cpu_s", "cpu_share", "peak_pss_bytes"):
        if metric != comparison.metric:
            yield structs.replace(comparison, metric=metric)
    if isinstance(comparison.right, Side):
        yield structs.replace(comparison, left=comparison.right, right=comparison.left)


def is_change_found(changed: Claim, table: dict[str, Any], experiment: Experiment) -> bool:
    """By its sentence, or because a person has to read what says it now."""
    return any(find_contradictions(changed)) or any(find_unread(changed, table, experiment))


def test_no_condition_of_this_project_can_change_without_its_sentence() -> None:
    declared = DECLARED
    survivors, count = [], 0
    for name, claims in declared.claims.items():
        experiment = declared.experiments[name]
        tables = read_toml(experiment.folder / "claims.toml")["claims"] if claims else []
        for claim, table in zip(claims, tables, strict=True):
            # What a person has read is found by its digest, whatever changes.
            is_read = any(find_unread(claim, table, experiment))
            for index, comparison in enumerate(claim.all):
                for other in mutate(comparison):
                    count += 1
                    compared = [*claim.all[:index], other, *claim.all[index + 1 :]]
                    changed = structs.replace(claim, all=compared)
                    if not (is_read or is_change_found(changed, table, experiment)):
                        survivors.append((claim.id, comparison, other))
    assert count > 1000
    assert survivors == []
