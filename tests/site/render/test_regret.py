"""Regret: within half as much again of the best is accepted; what fails or stops the loop never is."""

import pytest

from making import EXITED, make_record, make_variant, replace
from poolwise.declaration import MalformedDeclaration
from poolwise.record import Record
from scripts.site.declare.claims import Disqualification
from scripts.site.render.regret import show_regret
from scripts.site.render.words import load_words
from tests.factories import PLAIN, POOL, TERMS, make_experiment, make_question
from tests.site.render.markup import make_evidence, read

STOPS = Disqualification(metric="lag_max_s", above=0.1, why={"en": "it stops", "ru": "стоит"})


def choose(*pool: Record, language: str = "en", family: str = "io", **question: object) -> str:
    """What is said of a pool next to the plain program, which takes a second."""
    questions = {"io": make_question(**question)}
    experiment = replace(make_experiment(), questions=questions)
    plain = make_record(make_variant(program=PLAIN), [1.0, 1.01, 0.99, 1.0, 1.0])
    evidence = make_evidence([plain, *pool], experiment=experiment)
    return show_regret(evidence, load_words(language).add(TERMS), family, POOL)


def take(seconds: float, spread: float = 0.01, **changes: object) -> Record:
    walls = [seconds * (1 + spread * factor) for factor in (-1, -0.5, 0, 0.5, 1)]
    return make_record(make_variant(program=POOL), walls, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pool", "accepted", "says"),
    [
        (take(0.5), "yes", "Accepted. 0.500 s: the best way here."),
        (take(1.0, 0.03), "yes", "Accepted. 1.00 s: about the same as the best"),
        (take(1.3), "yes", "Accepted. 1.30 s: 1.30 times as long as the best (1.00 s: "),
        (take(1.6, 0.5), "no", "(1.0 s: 01-io-sequential). That isn't certain."),
        (make_record(make_variant(program=POOL), [4.0, 6.0]), "no", "Not accepted. 5.0 s: "),
        (take(5.0), "no", "Not accepted. 5.00 s: 5 times as long as the best (1.00 s: "),
        (
            replace(take(5.0), status="failed", reason=EXITED, timed=()),
            "no",
            "Not accepted. Failed: ",
        ),
        (replace(take(5.0), status="unavailable", timed=()), "open", "Not measured here yet."),
    ],
)
def test_a_choice_is_held_against_the_best(pool: Record, accepted: str, says: str) -> None:
    shown = choose(pool)
    assert f'data-accepted="{accepted}"' in shown
    assert says in read(shown)


def test_what_a_question_disqualifies_is_not_accepted_and_says_why() -> None:
    pool = take(0.5)
    late = tuple(replace(trial, values={**trial.values, "lag_max_s": 0.5}) for trial in pool.traced)
    shown = choose(replace(pool, traced=late * 3), disqualify=[STOPS])
    assert read(shown) == "Not accepted. Disqualified: it stops (0.50 s)."
    shown = choose(take(5.0), disqualify=[replace(STOPS, metric="wall_s")])  # as are all others
    assert read(shown) == "Not accepted. Disqualified: it stops (5.00 s)."


def test_it_is_told_in_russian_and_by_what_is_weighed() -> None:
    shown = choose(take(1.0, peak_pss_bytes=200_000_000), language="ru", weigh="peak_pss_bytes")
    assert "Память всего дерева процессов, 190 МиБ: в 4 раза больше лучшего" in read(shown)


def test_a_program_or_question_that_is_not_there_is_told() -> None:
    with pytest.raises(MalformedDeclaration, match=f"no such program '{POOL}'"):
        choose(take(1.0), family="cpu")
