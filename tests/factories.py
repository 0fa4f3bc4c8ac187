"""Made-up claims and choices for tests that need none in particular; what they are of is in ``making``."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import making
from making import NOW, VARIANT, make_lane, replace
from poolwise.experiment import Experiment
from poolwise.record import Record
from scripts.site.declare.claims import OTHERWISE, Claim, Comparison, Outcome, Question, Side
from scripts.site.declare.declarations import Choice
from scripts.site.judge.decisions import ClaimStatus
from scripts.site.study.timeline import Timeline

PLAIN, POOL = "01-io-sequential", "04-io-thread_pool"
"""The first family of ``make_experiment``."""
TERMS = {
    "topics": {name: {"en": f"of {name}", "ru": f"о {name}"} for name in ("io", "memory", "pools")},
    "source": {"an-article": {"en": "an article", "ru": "статья"}},
    "origin": {"the-end": {"en": "at the end", "ru": "в конце"}},
}
"""What experiments declare for the claims of all."""
CLAIMS = """\
schema = 3

[[claims]]
id = "two-is-faster"
topic = "io"
source = "us"
origin = "01"
all = [{ metric = "wall_s", left = "two", right = "one", relation = "less", margin = 1.2 }]
where = { cores = "several", python = "3.13" }
[claims.says]
en = "Threads are {ratio|fold} as fast: {left} on {cores|cores}."
ru = "Потоки {ratio|fold} быстрее: {left} на {cores|cores}."
"""
"""A ``claims.toml`` of the experiment that ``DECLARATION`` declares."""

CHOICES = """\
[[choices]]
id = "an-answer"
take = "lab/one"
claim = "two-is-faster"
work = ["waiting"]
situation = { en = "So.", ru = "Так." }
advice = { en = "So.", ru = "Так." }
why = { en = "So.", ru = "Так." }
unless = { en = "So.", ru = "Так." }
"""
"""A ``choices.toml`` that takes a program of that experiment."""

ORIGINALS = """\
machine,cores,os,python,program,workers,wall_s,trials_s,max_rss_kb,mark
theirs,8,Linux,3.7.4,one,,17.39,18.28 17.39,29 456,bad
theirs,8,Linux,3.7.4,two,16,2.71,,,good
ours,4,,,one,,9,,,
"""
"""An ``originals.csv`` of that experiment."""


def hide_time(record: Record) -> Record:
    """The same of a program that does not print its time, so that it is judged as a whole."""
    timed = (replace(one, values=one.values | {"inside_s": None}) for one in record.timed)
    return replace(record, timed=tuple(timed))


def make_side(program: str, **changes: object) -> Side:
    """A side of a comparison: a program of ``make_experiment`` in its family."""
    family = "cpu" if "-cpu-" in program else "io"
    return Side(program=program, **{"family": family} | changes)  # type: ignore[arg-type]


def make_comparison(**changes: Any) -> Comparison:
    """The pool of ``make_experiment`` takes less time than what it is held against there."""
    right = None if {"over", "of_cores"} & changes.keys() else PLAIN
    given = {"metric": "wall_s", "left": POOL, "right": right, "relation": "less"} | changes
    for name in ("left", "right"):
        if isinstance(given[name], str):
            given[name] = make_side(given[name])
    return Comparison(**given)


OUTCOMES: Mapping[ClaimStatus, Outcome | None] = {
    "confirmed": "as-claimed",
    "borderline": "at-the-margin",
    "refuted": "other-way",
    "open": "not-decided",
    "not applicable": None,
}
"""An outcome of each status."""


def make_claim(*comparisons: Comparison, **changes: Any) -> Claim:
    """A claim of all of ``comparisons``, else of ``make_comparison``, that says nothing."""
    plain = {"id": "it", "topic": "io", "source": "us", **say()}
    plain["all"] = list(comparisons) or [make_comparison()]
    return Claim(**plain | changes)


def say(en: str = "", ru: str = "") -> dict[str, Any]:
    """The same sentence for every outcome of a claim."""
    texts = {"en": en, "ru": ru}
    return {"says": texts, "instead": dict.fromkeys(sorted(OTHERWISE), texts) if en else {}}


def make_choice(**changes: object) -> Choice:
    """An answer for tasks that wait: a program of ``make_experiment`` in its first family."""
    texts = {
        name: {language: f"{language} {name}" for language in ("en", "ru")}
        for name in ("situation", "advice", "why", "unless")
    }
    fields = {"id": "some-choice", "take": "lab/04-io-thread_pool", "claim": "some-claim"}
    fields |= {"work": ["waiting"], **texts}
    return Choice(**fields | changes)  # type: ignore[arg-type]


def make_timeline(**changes: Any) -> Timeline:
    """What was watched of a program of ``make_experiment`` with one thread."""
    usual: dict[str, Any] = {
        name: getattr(VARIANT, name)
        for name in ("experiment", "program", "family", "machine", "interpreter", "start_method")
    }
    usual |= {"cores": 2, "workers": 1, "tasks": 30, "profile": "quick", "fingerprint": "0" * 16}
    usual |= {"measured_at": NOW, "wall_us": 100_000, "work_us": 0, "cpu_us": 64_000}
    usual |= {"seen_us": 60_000, "processes": 1, "threads": 1, "busy": [600] * 120}
    usual |= {"lanes": [make_lane()]}
    return Timeline(**usual | changes)


def make_experiment(folder: Path = Path("lab")) -> Experiment:
    """The experiment of ``making``, whose families have a question each."""
    questions = {"io": make_question(), "cpu": make_question()}
    return replace(making.make_experiment(folder), questions=questions)


def make_question(**changes: object) -> Question:
    """A question by the whole time, which CPU time decides between those that tie."""
    plain = {"weigh": "wall_s", "ask": {"en": "Which is fast?", "ru": "Что быстрее?"}}
    return Question(**plain | changes)  # type: ignore[arg-type]
