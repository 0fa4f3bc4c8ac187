"""A site of which every string of a record, declaration or original is as bad as can be.

``python -m tests.site.poison build …`` is ``mkdocs build`` of it; what its fences call is ``show``
as on the real pages. What every string ends with is in ``ending.txt`` of the folder POISON.
"""

import inspect
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import SimpleNamespace, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from scripts.harness.declaration import Reason
from scripts.harness.machine import Cache
from scripts.harness.metrics import METRICS
from scripts.harness.record import Record
from scripts.site.declare.claims import Claim, Comparison, Mark
from scripts.site.declare.declarations import Declarations
from scripts.site.declare.texts import Terms, list_languages
from scripts.site.judge.judge import Evidence, judge_records
from scripts.site.page import context
from scripts.site.render.readings import MADE
from tests.factories import (
    make_choice,
    make_experiment,
    make_interpreter,
    make_machine,
    make_record,
    make_side,
    make_variant,
    replace,
)

Thing = TypeVar("Thing")
NAMES = ("metric", "take", "file", "kind", "originals")
"""Fields that name what there must be: a metric, an experiment, a file, a way of working, columns."""
KEPT = {*list_languages(), *METRICS, MADE, "error", "package"}
"""Keys that are ours: of languages, metrics, what a table reads and the places of a reason."""
IO, CPU = "io", "cpu"
SHOWN = "99-shown"
"""The program whose file is read and shown."""
CLAIM, SOURCE = "compared", "lab-notes"
NO_WHEEL = Reason("no-wheel", {"package": "gevent"})
PLAIN, POOL, COMPUTING = "01-io-sequential", "04-io-thread_pool", "08-cpu-sequential"
CALLS = {
    "results": ("'lab'",),
    "elsewhere": ("'lab'",),
    "releases": ("'lab', IO + ENDING",),
    "machines": ("",),
    "machine_facts": ("'other' + ENDING",),
    "machine_verdicts": ("'other' + ENDING, 'lab'",),
    "chart": ("'lab', IO + ENDING", "'nothing', IO + ENDING"),
    "sweep": (
        "'lab', IO + ENDING",
        "'lab', IO + ENDING, metric='peak_pss_bytes', stairs=True, log=True",
    ),
    "heat": ("'lab', IO + ENDING",),
    "trace": ("'lab', IO + ENDING, of='memory'", "'lab', IO + ENDING, of='cpu', overlay=True"),
    "stages": ("'lab', [IO + ENDING, CPU + ENDING]",),
    "versions": ("'lab', IO + ENDING, POOL + ENDING",),
    "law": ("'usl', 'lab', IO + ENDING, [PLAIN + ENDING]",),
    "readings": ("'lab', IO + ENDING, MADE + ENDING",),
    "printed": ("'lab', IO + ENDING",),
    "output": ("'lab', PLAIN + ENDING", "'lab', COMPUTING + ENDING"),
    "costs": ("'lab', IO + ENDING",),
    "answer": ("'lab'",),
    "originals": ("'lab'",),
    "agreement": ("'lab'",),
    "overview": ("'lab'",),
    "program_claims": ("'lab/' + POOL + ENDING",),
    "program_figures": ("'lab/' + POOL + ENDING",),
    "program_originals": ("'lab/' + POOL + ENDING",),
    "claim": ("CLAIM + ENDING",),
    "claims": ("",),
    "totals": ("",),
    "findings": ("'lab'",),
    "choices": ("",),
    "start": ("",),
    "choice": ("'some-choice'",),
    "program": ("f'lab/{SHOWN}'",),
    "snippet": ("'containers-cores'",),
    "machine": ("",),
    "preloading": ("'lab'",),
    "margins": ("'lab'",),
    "explorer": ("",),
    "noise": ("",),
    "profiles": ("'lab'",),
}
"""What each function of ``show`` is given; ``test_poison`` sees to it that none is left out."""


def poison(thing: Thing, ending: str, kind: Any = str) -> Thing:
    """The same with ``ending`` after every string of it, wherever its type allows any string.

    Names get the same ending everywhere, and so still name what they did; ours stay.
    """
    made: Any = thing
    match thing:
        case str():
            made = thing + ending if _is_free(kind) else thing
        case msgspec.Struct():
            made = msgspec.structs.replace(thing, **_poison_fields(thing, ending))
        case Mapping():
            made = {
                name if name in KEPT else name + ending: poison(value, ending)
                for name, value in thing.items()
            }
        case list() | tuple():
            made = type(thing)(poison(one, ending, kind) for one in thing)
        case _ if is_dataclass(thing) and not isinstance(thing, type):
            made = replace(thing, **_poison_fields(thing, ending))
    return made


def list_strings(thing: object, kind: Any = str) -> Iterator[str]:
    """Every string in it that ``poison`` would change."""
    match thing:
        case str():
            if _is_free(kind):
                yield thing
        case Mapping():
            for value in thing.values():
                yield from list_strings(value)
        case list() | tuple():
            for one in thing:
                yield from list_strings(one, kind)
        case _ if isinstance(thing, msgspec.Struct) or is_dataclass(thing):
            for name, found in get_type_hints(type(thing), include_extras=True).items():
                if name not in NAMES:
                    yield from list_strings(getattr(thing, name), found)


def lengthen(ending: str) -> str:
    """What a program may have written besides: 100 kB, where any other string is refused earlier."""
    return "x" * 100_000 if ending else ""


def make_evidence(folder: Path, ending: str) -> Evidence:
    """Something for every block to show: two Pythons, two numbers of tasks and of workers."""
    experiment = poison(make_experiment(folder), ending)
    programs = [
        msgspec.structs.replace(one, file=f"{one.name}{ending}.py") for one in experiment.programs
    ]
    programs.append(msgspec.structs.replace(programs[0], file=f"{SHOWN}.py"))
    experiment = msgspec.structs.replace(
        experiment, programs=tuple(programs), originals=make_originals(ending)
    )
    interpreters = [make_interpreter(id=f"cpython-{v}", version=v) for v in ("3.13.0", "3.9.18")]
    records = [
        make_record(
            make_variant(
                program=program,
                family=family,
                interpreter=interpreter.id,
                tasks=tasks,
                workers=workers,
                start_method="fork",
            ),
            [tasks / 100, tasks / 90, tasks / 95],
            readings={MADE: [tasks] * 3},
            printed="thread 1" + ending,
        )
        for interpreter in interpreters
        for family, program in ((IO, PLAIN), (IO, POOL), (CPU, "12-cpu-process_pool"))
        for tasks in (20, 30)
        for workers in (1, 2)
    ]
    broken = make_record(make_variant(program=COMPUTING, family=CPU))
    failed = {
        "status": "failed",
        "reason": Reason("could-not-start", {"error": "=1+1"}),
        "stderr": "Traceback",
        "timed": (),
    }
    pinned = [replace(one, packages={"gevent": "gevent==1"}) for one in records]
    poisoned: list[Record] = [
        replace(one, printed=one.printed + lengthen(ending), stderr=one.stderr + lengthen(ending))
        for one in (poison(one, ending) for one in (*pinned, replace(broken, **failed)))
    ]
    machine = make_machine(
        governor="performance",
        hypervisor="KVM",
        container="docker",
        caches=(Cache(name="L1", size_bytes=1 << 15, instances=1),),
    )
    return Evidence(
        outdated=frozenset(one.variant for one in poisoned),
        experiment=experiment,
        profile=f"quick{ending}",
        machine=poison(machine, ending),
        interpreters=tuple(poison(one, ending) for one in interpreters),
        judgements=judge_records(experiment, poisoned),
        generated_at=datetime(2026, 1, 2, tzinfo=UTC),
    )


def make_claims() -> tuple[Claim, ...]:
    text = dict.fromkeys(list_languages(), "It took {left} on {cores} (then {right}).")
    comparison = Comparison(
        metric="wall_s", left=make_side(POOL), right=make_side(PLAIN), relation="less"
    )
    told = dict.fromkeys(list_languages(), "It is {verdict} on {cores}.")
    common = {"topic": "pools", "source": "lab-notes", "origin": "a heading"}
    mark = Mark(program=make_side(POOL), verdicts=["recommended"])
    return (
        Claim(id="compared", all=[comparison], text=text, **common),  # type: ignore[arg-type]
        Claim(id="marked", mark=mark, text=told, **common),  # type: ignore[arg-type]
    )


def make_terms(ending: str) -> Terms:
    """What claims and originals name, in words of every language."""
    groups = {"topics": ["pools"], "source": [SOURCE, "an-article"], "origin": ["a heading"]}
    return {
        group: {name + ending: dict.fromkeys(list_languages(), name + ending) for name in names}
        for group, names in groups.items()
    }


def make_originals(ending: str) -> tuple[Mapping[str, str], ...]:
    """Figures of an article; columns, marks and how many cores are not for it to choose."""
    facts = {"machine": "Author's computer", "os": "an OS", "python": "3.7"}
    rows = (
        {"program": PLAIN, "wall_s": "20"},
        {"program": POOL, "wall_s": "10"},
        {"program": COMPUTING},
    )
    return tuple(
        {
            "cores": "2",
            "wall_s": "",
            "mark": "good",
            **{name: cell + ending for name, cell in (facts | row).items()},
        }
        for row in rows
    )


def install(folder: Path, ending: str) -> None:
    """From now on pages are made of this; ``folder`` gets a program, whose source is read."""
    folder.mkdir(parents=True, exist_ok=True)
    source = f"print(r'''{ending}''')\n"
    (folder / f"{SHOWN}.py").write_text(source, encoding="utf-8")
    evidence = make_evidence(folder, ending)
    nothing = replace(evidence, judgements=(), absence=poison(NO_WHEEL, ending))
    other = replace(evidence.machine, id=f"other{ending}")
    claims = tuple(poison(one, ending) for one in make_claims())
    home = dict.fromkeys(list_languages(), "a task")
    answer = poison(make_choice(home=home), ending)
    choice = msgspec.structs.replace(
        answer,
        id="some-choice",
        take=f"lab/{POOL}{ending}",
        family=f"{IO}{ending}",
        against=f"{PLAIN}{ending}",
    )
    pipeline = SimpleNamespace(
        declared=Declarations(
            experiments={},
            claims={"lab": claims},
            choices=(choice,),
            findings={"lab": [one.id for one in claims]},
            terms=make_terms(ending),
        ),
        experiments={"lab": evidence.experiment},
        settings=SimpleNamespace(later=False, results=folder, failures="tell"),
        machine=evidence.machine,
        here=other,
        interpreters=evidence.interpreters,
        gather=lambda name: nothing if name == "nothing" else evidence,
        gather_machines=lambda name: (evidence, replace(evidence, machine=other)),
    )
    vars(context)["open_pipeline"] = cache(lambda: pipeline)


def list_functions() -> set[str]:
    """The blocks that pages can show."""
    from scripts.site.page import choices, claims, machines, show

    homes = {module.__name__ for module in (choices, claims, machines, show)}
    return {
        name
        for name, one in inspect.getmembers(show, inspect.isfunction)
        if one.__module__ in homes and not name.startswith("_")
    }


def write_page() -> str:
    """A page with every block, as people write it."""
    fences = [
        f'```python exec="on" html="true" id="{function}-{number}"\n'
        "from scripts.site.page import show\nfrom tests.site.poison import *\n"
        f"print(show.{function}({given}))\n```\n"
        for function, several in CALLS.items()
        for number, given in enumerate(several)
    ]
    return "\n".join(["# Blocks {#top}\n", *fences, "The end.\n"])


def _poison_fields(thing: object, ending: str) -> dict[str, Any]:
    hints = get_type_hints(type(thing), include_extras=True)
    return {
        name: poison(getattr(thing, name), ending, kind)
        for name, kind in hints.items()
        if name not in NAMES
    }


def _is_free(kind: Any) -> bool:
    """Whether a type has all strings, not some alone."""
    if kind is str:
        return True
    if get_origin(kind) is Annotated:
        return _is_free(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType, list, tuple):
        return any(map(_is_free, get_args(kind)))
    return False


if __name__ == "__main__":
    from mkdocs.__main__ import cli

    sys.modules["tests.site.poison"] = sys.modules["__main__"]
    FOLDER = Path(os.environ["POISON"])
    ENDING = (FOLDER / "ending.txt").read_text(encoding="utf-8")
    install(FOLDER / "lab", ENDING)
    cli()
