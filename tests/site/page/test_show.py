"""Blocks: a refuted claim is content, a chart is of its title's Python, machines say nothing in markup."""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec import structs

from making import make_interpreter, make_machine, make_record, make_variant, replace
from poolwise.declaration import MalformedDeclaration, Reason
from poolwise.experiment import Navigation
from poolwise.machine import Machine
from scripts.site.declare.declarations import Declarations
from scripts.site.judge.claims import CheckedClaim, check_evidence
from scripts.site.judge.evidence import Evidence
from scripts.site.page import context, failures, frame, show
from scripts.site.page.context import Place
from scripts.site.page.root import write_traces
from scripts.site.render.html import drop_tags
from scripts.site.render.words import load_words
from scripts.site.settings import Settings
from scripts.site.study.snippets import Failed
from scripts.site.study.timeline import locate_timeline, write_timeline
from tests.factories import PLAIN, POOL, TERMS, make_claim, make_experiment, make_timeline
from tests.site.judge.test_rows import gather, make_pair
from tests.site.render.markup import make_evidence

CLAIM = make_claim(
    id="pool-is-faster",
    topic="pools",
    says={"en": "A pool is {ratio|times} faster."},
    instead={"other-way": {"en": "Here a pool is slower."}},
)
HOSTILE = "</script><img src=x onerror=alert(1)> [a](javascript:b) {{ x }}"
WATCHED = "lab/01-io-sequential"
OLD, NEW = "cpython-3.13.0", "cpython-3.14.0t"


BOX = make_machine(id="box")
FAST, SLOW = (1.0, 0.5), (1.0, 5.0)
Use = Callable[..., None]
Stand = Callable[..., list[str]]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Use]:
    """Lets pages stand on a pipeline that has only this, and on nothing that another had."""

    def use(*, machine: Machine = BOX, **pipeline: object) -> None:
        pipeline |= {"machine": machine, "machines": {machine.id: machine}, "profile": "quick"}
        pipeline = {"settings": Settings(results=tmp_path), "experiments": {}, **pipeline}
        build = SimpleNamespace(**{"namesakes": frozenset(), "complaints": [], **pipeline})
        for module in (context, frame, show):
            monkeypatch.setattr(module, "open_pipeline", lambda: build)
        for kept in context._kept:
            kept.cache_clear()

    yield use
    context.enter(Place())
    use()


@pytest.fixture
def stand(use: Use) -> Stand:
    """Lets pages stand on the seconds of the plain program and the pool on machines, the first of them shown.

    It gives every place where a reader meets the claim, with which pages open.
    """

    def stand(**machines: Sequence[float]) -> list[str]:
        experiment = make_experiment()
        evidences = []
        for machine, times_s in machines.items():
            records = [
                make_record(make_variant(program=name, machine=machine), [seconds] * 5)
                for name, seconds in zip((PLAIN, POOL), times_s, strict=False)
            ]
            evidences.append(make_evidence(records, experiment=experiment, machine=machine))
        declared = Declarations(
            experiments={"lab": experiment},
            terms=TERMS,
            claims={"lab": (CLAIM,)},
            findings={"opening": [CLAIM.id]},
        )
        machine = evidences[0].machine
        use(
            declared=declared,
            experiments=declared.experiments,
            machine=machine,
            gather_machines=lambda name: tuple(evidences),
        )
        return [show.findings("opening"), show.claims(), show.claim(CLAIM.id)]

    return stand


def test_what_is_ten_times_slower_on_another_machine_is_marked_wherever_it_is_said(
    stand: Stand,
) -> None:
    assert not any("otherwise on" in one for one in stand(box=FAST, near=FAST))
    for one in stand(box=FAST, near=FAST, far=SLOW):
        assert "otherwise on 1 of 3\N{NO-BREAK SPACE}machines" in one


def test_a_program_whose_times_are_swapped_turns_the_claim_in_every_place(stand: Stand) -> None:
    for one in stand(box=FAST):
        assert "claim-confirmed" in one
        assert "Here a pool is slower" not in one
    for one in stand(box=FAST[::-1]):
        assert "claim-refuted" in one
        assert "Here a pool is slower" in one


def test_a_page_opens_without_what_was_not_measured_and_says_so_once(stand: Stand) -> None:
    opening, _, below = stand(box=FAST[:1])
    assert drop_tags(opening) == "No findings here: not measured yet."
    assert "A pool is" not in below


def test_a_page_opens_with_its_own_claim_whole_and_repeats_its_sentence_alone_below(
    stand: Stand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "opening.md").write_text('print(show.claim("pool-is-faster"))')
    for module in (context, show):
        monkeypatch.setattr(module, "DOCS", tmp_path)
    context.enter(Place(source="opening.md", url="opening/"))
    opening, _, below = stand(box=FAST)
    assert show.claim(CLAIM.id, once=True) == ""
    for whole in ('id="claim-pool-is-faster"', "<details"):
        assert whole in opening
        assert whole not in below
    for part in (opening, below):
        assert "A pool is" in part
    assert 'href="#claim-pool-is-faster"' in below


def gather_machine(machine: str) -> Evidence:
    found = gather(machine, *make_pair(machine))
    navigation = Navigation(title={"en": "Lab", "ru": "Лаборатория"}, place=1)
    experiment = structs.replace(found.experiment, navigation=navigation)
    described = make_machine(id=machine, cpu_model=HOSTILE)
    return replace(found, experiment=experiment, machine=described)


def test_blocks_link_machines_by_their_rows_and_escape_what_they_say(use: Use) -> None:
    found = [gather_machine("box"), gather_machine("ark")]
    experiments = {"lab": found[0].experiment}
    use(
        experiments=experiments,
        declared=Declarations(experiments=experiments, claims={}),
        machine=found[0].machine,
        gather_machines=lambda name: tuple(found),
    )
    context.enter(Place(language="ru", source="lab.md", url="lab/"))
    shown = show.elsewhere("lab")
    assert 'href="../../ru/machines/#machine-ark"' in shown
    assert "<img" not in shown
    context.enter(Place(language="ru", source="machines.md", url="machines/"))
    every = show.machines()
    assert 'id="machine-ark"' in every
    assert "explore/?experiment=*&amp;machine=ark" in every
    assert "<img" not in every


def test_a_chart_shows_the_python_that_its_title_speaks_of(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [
        make_record(make_variant(program=program, interpreter=python), [seconds] * 5)
        for python, program, seconds in ((OLD, PLAIN, 1.0), (NEW, PLAIN, 1.0), (NEW, POOL, 0.5))
    ]
    evidence = make_evidence(records, [make_interpreter(id=name) for name in (OLD, NEW)])
    found = CheckedClaim(experiment="lab", claim=CLAIM, checks=check_evidence([CLAIM], evidence))
    shown: list[Evidence] = []
    monkeypatch.setattr(show, "find_claim", lambda id_: found)
    monkeypatch.setattr(show, "choose_words", lambda: load_words("en"))
    monkeypatch.setattr(show, "gather", lambda name: evidence)
    monkeypatch.setattr(show, "show_measured", lambda evidence, *_: shown.append(evidence))
    show.chart("lab", "io", claim=CLAIM.id)
    show.chart("lab", "io")
    assert [one.interpreters[0].id for one in shown] == [NEW, OLD]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_snippet_that_fails_is_one_warning_which_ends_a_strict_build(
    language: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failed = Failed(Reason("exited", {"code": "1"}), "ValueError: too late")
    context.enter(Place(language=language))
    monkeypatch.setattr(failures, "list_printed", lambda: {"gil-interval": failed})
    assert "getswitchinterval" in show.snippet("gil-interval")
    told = "snippets/gil-interval.py: exited with status 1: ValueError: too late"
    assert caplog.record_tuples == [("mkdocs.plugins.evidence", logging.WARNING, told)]
    assert "getswitchinterval" not in show.snippet("gil-interval", code=False)


@pytest.fixture
def results(tmp_path: Path, use: Use) -> Path:
    """A folder with one timeline of the machine shown and one of another."""
    write_timeline(tmp_path, make_timeline(machine="box"))
    write_timeline(tmp_path, make_timeline(machine="ark"))
    use(
        settings=Settings(results=tmp_path),
        machine=make_machine(id="box", system="Linux"),
        declared=SimpleNamespace(terms={}),
        experiments={"lab": make_experiment()},
    )
    context.enter(Place(language="ru", source="lab.md", url="lab/"))
    return tmp_path


def test_a_program_that_was_watched_has_its_picture_and_its_data(results: Path) -> None:
    shown = show.timeline(f"{WATCHED}.py", "lab/02-io-threads")
    assert shown.count(' viewBox="0 0 1000 ') == 1
    assert 'href="../../data/traces/lab-01-io-sequential.json"' in unescape(shown)
    write_traces(results)
    (path,) = (results / "traces").iterdir()
    assert path.name == "lab-01-io-sequential.json"
    assert json.loads(path.read_text())["machine"] == "box"


def test_a_damaged_timeline_is_told_in_a_line_and_not_shown_and_ends_no_build(
    results: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    path = locate_timeline(results, "box", *WATCHED.split("/"))
    path.write_text(path.read_text().replace("01-io-sequential", "<script>alert(1)</script>"))
    assert show.timeline(WATCHED) == ""
    assert capsys.readouterr().err.count("\n") == 1
    assert caplog.messages == []


def test_a_chart_that_denies_its_claim_has_a_neutral_title_and_the_log_says_so(
    stand: Stand, capsys: pytest.CaptureFixture[str]
) -> None:
    stand(box=FAST)
    assert "<figcaption>A pool is" in show.chart("lab", "io", "wall_s", claim=CLAIM.id)
    assert capsys.readouterr().err == ""
    assert "A pool is" not in show.chart("lab", "io", "cpu_s", claim=CLAIM.id)
    told = "chart-lab-io-cpu-s denies pool-is-faster: it does not draw wall_s of lab/"
    assert told in capsys.readouterr().err


def test_timelines_that_deny_their_claim_are_not_shown_and_the_log_says_so(
    stand: Stand, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def watch(program: str, wall_us: int) -> None:
        record = make_record(make_variant(program=program, machine="box"), [1.0])
        size = {name: getattr(record, name) for name in ("cores", "workers", "tasks")}
        timeline = make_timeline(program=program, machine="box", wall_us=wall_us, **size)
        write_timeline(tmp_path, timeline)
        context.list_watched.cache_clear()

    stand(box=FAST)
    pair = [f"lab/{PLAIN}", f"lab/{POOL}"]
    watch(PLAIN, 2_000_000)
    assert show.timeline(*pair, claim=CLAIM.id) == ""
    watch(POOL, 1_100_000)
    assert "<figcaption>A pool is" in show.timeline(*pair, claim=CLAIM.id)
    assert capsys.readouterr().err == ""
    watch(POOL, 2_500_000)
    assert show.timeline(*pair, claim=CLAIM.id) == ""
    assert "the timelines deny pool-is-faster and are not shown" in capsys.readouterr().err


def test_of_a_claim_that_is_not_there_the_place_and_the_nearest_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "lab.md").write_text('\nprint(show.claim("pools-is-faster"))')
    monkeypatch.setattr(context, "DOCS", tmp_path)
    monkeypatch.setattr(context, "check_all", lambda: {CLAIM.id: None})
    told = r"en/lab\.md:2: no such claim 'pools-is-faster'; is it 'pool-is-faster'\?"
    with pytest.raises(MalformedDeclaration, match=told):
        context.find_claim("pools-is-faster")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_drawing_is_small_has_an_address_and_tells_all_that_it_shows(
    use: Use, language: str
) -> None:
    use(declared=Declarations(experiments={}))
    context.enter(Place(language=language))
    for name, texts in load_words(language).catalogue["drawing"].items():
        block = show.drawing(name)
        assert f'<figure class="chart drawn" id="drawing-{name}"' in block
        assert f'href="#drawing-{name}"' in block.partition("</figcaption>")[0]
        assert f'aria-labelledby="drawing-{name}-title drawing-{name}-desc"' in block
        assert not [text for text in texts.values() if text not in unescape(block)]
        assert len(block) <= 6 << 10  # letters: a Cyrillic one has two bytes
