"""Each scene is short, plays, is worded in each language and stands on a page; what is wrong is refused."""

from pathlib import Path

import pytest

from poolwise.declaration import MalformedDeclaration
from scripts.site.declare.scenes import (
    SCENES,
    Panel,
    read_amount_ms,
    read_scene,
    read_tasks,
    read_trace,
)
from scripts.site.declare.texts import list_languages
from scripts.site.paths import DOCS
from scripts.site.render.scenes import list_marks, stage_scene
from scripts.site.render.words import load_words
from scripts.site.study.scenes import Play, Simulation, play_trace

NAMES = sorted(path.stem for path in SCENES.glob("*.toml"))
MOST_LINES, MOST_STEPS, LONGEST_NAME = 15, 40, 11


@pytest.mark.parametrize("name", NAMES)
def test_a_declaration_has_15_lines_at_most(name: str):
    text = (SCENES / f"{name}.toml").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES


def play(panel: Panel, prices_ms: dict[str, float]) -> Play:
    if panel.trace:
        return play_trace(read_trace(panel.trace), panel.lane)
    return Simulation(panel, prices_ms).play() if panel.tasks else Play([], [], [])


@pytest.mark.parametrize("language", list_languages())
@pytest.mark.parametrize("name", NAMES)
def test_a_scene_is_worded_and_can_be_stepped_through(name: str, language: str):
    scene, words = read_scene(name), load_words(language)
    prices_ms = {key: price.otherwise_ms for key, price in scene.prices.items()}
    plays = [play(panel, prices_ms) for panel in scene.panels]
    staged = stage_scene(name, scene, plays, prices_ms, "", words)
    assert scene.right <= len(staged.options) == len(scene.at or staged.options)
    assert all(staged.text[part] for part in ("title", "question", "after"))
    moments = {at_us for at_us, _, _ in list_marks(staged)}
    assert len(moments) <= MOST_STEPS
    assert max(len(lane) for stage in staged.stages for lane in [*stage.lanes, ""]) <= LONGEST_NAME


@pytest.mark.parametrize("language", list_languages())
@pytest.mark.parametrize("name", NAMES)
def test_a_scene_stands_on_a_page(name: str, language: str):
    pages = (DOCS / language).rglob("*.md")
    assert any(f'show.scene("{name}")' in page.read_text(encoding="utf-8") for page in pages)


def test_a_state_of_several_lanes_is_in_the_plural():
    scene = read_scene("turns")
    plays = [Simulation(panel, {}).play() for panel in scene.panels]
    _, _, text = list_marks(stage_scene("turns", scene, plays, {}, "", load_words("ru")))[0]
    assert text == "держит GIL: поток 1; ждут GIL: поток 2, 3, 4"


def test_steps_are_repeated_and_prices_multiplied():
    first, second = read_tasks("2x A: 2x(run 3 job; wait 1)", {"job": 5})
    assert first == second
    assert [(step.verb, step.amount_ms) for step in first.steps] == [
        ("run", 15), ("wait", 1), ("run", 15), ("wait", 1),
    ]  # fmt: skip
    assert read_amount_ms("2 job", {"job": 5}) == 10


@pytest.mark.parametrize("task", ["A: jump 3", "run three", "A:"])
def test_what_is_no_step_is_refused_with_its_file(tmp_path: Path, task: str):
    text = f'right = 1\n[[panels]]\nlane = "thread"\ntasks = ["{task}"]\n'
    (tmp_path / "odd.toml").write_text(text)
    with pytest.raises(MalformedDeclaration, match=r"odd\.toml"):
        read_scene("odd", tmp_path)


@pytest.mark.parametrize(
    ("panel", "fault"),
    [
        ("", "without tasks"),
        ('tasks = ["A: run 1", "A: run 2"]', "one name"),
        ('tasks = ["A: run 0; wait 0"]', "takes any time"),
        ('tasks = ["0x A: run 1"]', "no step"),
        ('tasks = ["A: run 1; put", "B: run 1"]', "no workers"),
        ('workers = 1\ntasks = ["A: run 1; put"]', "1 tasks are put"),
        ('workers = 1\ntasks = ["A: run 1; put", "2x B: run 1"]', "there are 2"),
        ('tasks = ["A: get; run 1"]', "more results"),
        ('workers = 1\ntasks = ["A: run 1; put; 2x(get)", "B: run 1"]', "more results"),
        ('tasks = ["A: run 1; free a"]', "hasn't taken"),
        ('tasks = ["A: take a; run 1; free a", "B: run 2; free a"]', "hasn't taken"),
        ('tasks = ["A: take; run 1; free"]', "no lock"),
        ('tasks = ["A: run 1"]\nlocks = ["a"]', "no task takes"),
        ('tasks = ["A: run 1"]\nturn_ms = -1', "turn_ms"),
        ('tasks = ["A: run 1"]\nworkers = -1', "workers"),
    ],
)
def test_what_cannot_be_played_is_refused(tmp_path: Path, panel: str, fault: str):
    (tmp_path / "odd.toml").write_text(f'right = 1\n[[panels]]\nlane = "thread"\n{panel}\n')
    with pytest.raises(MalformedDeclaration, match=rf"(?s)odd\.toml.*{fault}"):
        read_scene("odd", tmp_path)


@pytest.mark.parametrize(
    "trace", ['{"unit": "ms"}', "[", '{"unit": "us", "lanes": [], "events": [EVENT]}']
)
def test_a_trace_with_a_fault_is_refused_with_its_file(tmp_path: Path, trace: str):
    event = '{"lane": 0, "kind": "runs", "what": "", "value": "", "begin": 0, "end": 1}'
    (tmp_path / "odd.json").write_text(trace.replace("EVENT", event))
    with pytest.raises(MalformedDeclaration, match=r"odd\.json"):
        read_trace("odd.json", tmp_path)
