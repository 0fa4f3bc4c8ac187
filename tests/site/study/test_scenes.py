"""A scene is played step by step: who has what is shared, who waits for it, and until when."""

from itertools import permutations
from pathlib import Path

import msgspec
import pytest

from poolwise.declaration import MalformedDeclaration
from poolwise.watch import WAITING
from scripts.site.declare.scenes import SCENES, Panel, Trace, read_scene
from scripts.site.paths import RESULTS
from scripts.site.study.scenes import Event, Play, Simulation, play_recorded, play_trace
from scripts.site.study.timeline import list_timelines, read_timeline
from tests.factories import make_lane, make_timeline

MS = 1000
MOST_STEPS = 40
LEAST = 0.01  # of the whole: moments that are nearer have no order


def play(**panel: object) -> list[Event]:
    return Simulation(Panel(lane="thread", **panel), {"job": 30}).play().events  # type: ignore[arg-type]


def list_states(events: list[Event], lane: int) -> list[tuple[str, int, int]]:
    return [
        (event.state, event.begin_us // MS, event.end_us // MS)
        for event in events
        if event.lane == lane
    ]


def test_who_holds_the_gil_gives_it_up_after_a_turn_if_others_wait():
    events = play(shared="gil", turn_ms=5, tasks=["2x run 10"])
    assert list_states(events, 0) == [("runs", 0, 5), ("ready", 5, 10), ("runs", 10, 15)]
    assert list_states(events, 1) == [
        ("ready", 0, 5),
        ("runs", 5, 10),
        ("ready", 10, 15),
        ("runs", 15, 20),
    ]


def test_a_turn_is_counted_from_when_the_next_began_to_wait():
    events = play(shared="gil", turn_ms=5, tasks=["run 20", "wait 8; run 1"])
    assert list_states(events, 1) == [("waits", 0, 8), ("ready", 8, 13), ("runs", 13, 14)]


def test_a_loop_runs_each_task_until_it_waits():
    events = play(shared="loop", tasks=["run 10; wait 5; run 1", "hold 20; run 1"])
    assert list_states(events, 0) == [
        ("runs", 0, 10),
        ("waits", 10, 15),
        ("ready", 15, 31),
        ("runs", 31, 32),
    ]
    assert list_states(events, 1) == [("ready", 0, 10), ("holds", 10, 30), ("runs", 30, 31)]


def test_no_more_run_at_once_than_there_are_cores():
    events = play(slots=2, tasks=["3x run job"])
    assert [list_states(events, lane)[-1] for lane in range(3)] == [
        ("runs", 0, 30),
        ("runs", 0, 30),
        ("runs", 30, 60),
    ]
    assert {event.slot for event in events if event.state == "runs"} == {1, 2}


def test_native_code_needs_nothing_that_is_shared():
    events = play(shared="gil", tasks=["2x native 10"])
    assert all(list_states(events, lane) == [("runs", 0, 10)] for lane in range(2))


def test_workers_take_tasks_from_a_queue_in_their_order():
    played = Simulation(
        Panel(lane="thread", slots=9, workers=2, tasks=["A: wait 30", "3x B: wait 10"]), {}
    ).play()
    assert [(event.lane, event.what) for event in played.events if event.state == "waits"] == [
        (0, "A"),
        (1, "B"),
        (1, "B"),
        (1, "B"),
    ]
    assert played.queue == [(0, 2), (10 * MS, 1), (20 * MS, 0)]


def test_a_worker_without_a_task_is_idle_until_the_last_has_ended():
    events = play(slots=2, workers=2, tasks=["block 30", "block 10"])
    assert list_states(events, 1) == [("holds", 0, 10), ("idle", 10, 30)]


def test_who_waits_for_a_shared_worker_is_in_its_queue():
    tasks = ["run 10", "idle 4; run 10", "idle 6; run 10"]
    played = Simulation(Panel(lane="request", shared="worker", tasks=tasks), {}).play()
    assert list_states(played.events, 2) == [("idle", 0, 6), ("ready", 6, 20), ("runs", 20, 30)]
    assert played.queue == [(0, 0), (4 * MS, 1), (6 * MS, 2), (10 * MS, 1), (20 * MS, 0)]


def test_who_puts_tasks_into_the_queue_delays_the_workers():
    panel = Panel(lane="process", slots=3, workers=2, tasks=["parent: 2x(run 10; put)", "2x run 5"])
    events = Simulation(panel, {}).play().events
    assert list_states(events, 1)[:2] == [("idle", 0, 10), ("runs", 10, 15)]
    assert [state for state in list_states(events, 2) if state[0] == "runs"] == [("runs", 20, 25)]


def test_who_gets_a_result_waits_until_a_worker_is_done():
    tasks = ["parent: 2x(run 10; put); 2x(get; run 5)", "A: run 40", "B: run 1"]
    events = Simulation(Panel(lane="process", slots=3, workers=2, tasks=tasks), {}).play().events
    assert list_states(events, 0) == [
        ("runs", 0, 10),
        ("runs", 10, 20),
        ("waits", 20, 21),
        ("runs", 21, 26),
        ("waits", 26, 50),
        ("runs", 50, 55),
    ]


def test_two_locks_taken_in_two_orders_leave_both_stuck():
    tasks = ["take a; run 1; take b; run 1", "take b; run 1; take a; run 1"]
    events = play(slots=2, tasks=tasks, until_ms=10)
    assert [list_states(events, lane)[-1] for lane in range(2)] == [("locked", 1, 10)] * 2


def test_a_lock_goes_to_who_has_waited_longest():
    tasks = ["take a; run 2; free a", "take a; run 3; free a", "wait 1; take a; run 1; free a"]
    events = play(slots=3, tasks=tasks)
    assert list_states(events, 2) == [("waits", 0, 1), ("locked", 1, 5), ("runs", 5, 6)]


@pytest.mark.parametrize("verb", ["run", "hold", "wait", "native", "block", "idle"])
def test_a_step_that_takes_no_time_is_over_at_once(verb: str):
    events = play(shared="gil", turn_ms=5, tasks=[f"{verb} 0; run 2", "wait 3; run 1"])
    assert list_states(events, 0) == [("runs", 0, 2)]


@pytest.mark.parametrize("panel", [{"turn_ms": 0.0001}, {"turn_ms": 0.001}])
def test_what_has_too_many_steps_is_refused(panel: dict[str, object]):
    with pytest.raises(MalformedDeclaration, match="more than 4000 steps"):
        play(tasks=["2x run 20"], **panel)


def test_what_is_no_step_is_refused():
    with pytest.raises(ValueError, match="no step"):
        play(tasks=["run 5; rest 3"])


def test_a_task_that_goes_on_is_one_event():
    events = play(shared="loop", tasks=["2x(run 10; wait 0)", "run 5"])
    assert list_states(events, 0) == [("runs", 0, 10), ("ready", 10, 15), ("runs", 15, 25)]
    assert list_states(play(tasks=["2x(run 10; wait 0)"]), 0) == [("runs", 0, 20)]


def test_a_measured_run_begins_where_its_work_does():
    spans = [(0, 12_000, 1), (15_000, 19_000, 2), (19_000, 29_000, WAITING)]
    lane = make_lane(spans=spans, end_us=29_000)
    timeline = make_timeline(lanes=[lane], work_us=1000, wall_us=31_000)
    assert play_recorded(timeline).events == [
        Event(0, 0, 12_000, "runs", slot=1),
        Event(0, 12_000, 14_000, "sleeps"),
        Event(0, 14_000, 18_000, "runs", slot=2),
        Event(0, 18_000, 28_000, "ready"),
    ]


def test_a_measured_run_leaves_out_what_hardly_ran():
    main = make_lane(spans=[(0, 2000, 1), (10_000, 10_040, 1), (38_000, 40_000, 1)])
    worker = make_lane(spans=[(2000, 20_000, 1), (20_100, 26_000, 1), (30_000, 30_040, 1)])
    timeline = make_timeline(lanes=[main, worker], wall_us=40_000)
    assert [event[:4] for event in play_recorded(timeline).events if event.state == "runs"] == [
        (0, 2000, 26_000, "runs")
    ]


def test_a_measured_run_can_be_cut_off():
    timeline = make_timeline(lanes=[make_lane(spans=[(0, 30_000, 1)])], wall_us=40_000)
    assert play_recorded(timeline, until_ms=10).events == [Event(0, 0, 10_000, "runs", slot=1)]


RUNS = [
    (name, number, path)
    for name in sorted(path.stem for path in SCENES.glob("*.toml"))
    for number, panel in enumerate(read_scene(name).panels)
    for path in list_timelines(RESULTS)
    if panel.timeline and path.stem == panel.timeline.replace("/", "-")
]
MODELS = [run for run in RUNS if read_scene(run[0]).panels[run[1]].tasks]


@pytest.mark.parametrize(("name", "number", "path"), [run for run in RUNS if run not in MODELS])
def test_a_measured_run_can_be_stepped_through(name: str, number: int, path: Path):
    timeline = read_timeline(path)
    assert timeline
    events = play_recorded(timeline, read_scene(name).panels[number].until_ms).events
    assert 10 < len({event.begin_us for event in events}) <= MOST_STEPS


@pytest.mark.parametrize(("name", "number", "path"), MODELS)
def test_a_model_agrees_with_each_measured_run_of_its_program(name: str, number: int, path: Path):
    scene, timeline = read_scene(name), read_timeline(path)
    assert timeline
    prices_ms = {key: price.otherwise_ms for key, price in scene.prices.items()}
    model, run = Simulation(scene.panels[number], prices_ms).play(), play_recorded(timeline)
    assert len(model.names) == len(run.names)
    for is_before, which in ((is_begun_before, "starts"), (is_ended_before, "ends")):
        for pair in permutations(range(len(model.names)), 2):
            assert not (is_before(model, *pair) and is_before(run, *reversed(pair))), which
    assert run.end_us * 0.8 < model.end_us < run.end_us * 1.2


def is_begun_before(play: Play, lane: int, other: int) -> bool:
    begins = {event.lane: event.begin_us for event in reversed(play.events) if is_running(event)}
    return begins[lane] + play.end_us * LEAST < begins[other]


def is_ended_before(play: Play, lane: int, other: int) -> bool:
    ends = {event.lane: event.end_us for event in play.events if is_running(event)}
    return ends[lane] + play.end_us * LEAST < ends[other]


def is_running(event: Event) -> bool:
    return event.state in ("runs", "holds")


def test_a_lock_that_is_drawn_has_a_lane_that_says_who_holds_it():
    panel = Panel(
        lane="thread", locks=["a"], tasks=["x: take a; native 2; free a", "y: take a; native 1"]
    )
    played = Simulation(panel, {}).play()
    held = [event for event in played.events if event.lane == 2]
    assert [(event.state, event.what, event.end_us // MS) for event in held] == [
        ("held", "x", 2),
        ("held", "y", 3),
    ]
    assert played.things == ["a"]


def make_trace(unit: str, lanes: list[str], *events: tuple[int, str, str, str, int, int]) -> Trace:
    fields = ("lane", "kind", "what", "value", "begin", "end")
    made = [dict(zip(fields, event, strict=True)) for event in events]
    return msgspec.convert({"unit": unit, "lanes": lanes, "events": made}, Trace)


def test_a_failed_check_is_played_with_the_values_of_its_variables():
    trace = make_trace(
        "step",
        ["thread 1", "thread 2"],
        (0, "reads", "n", "10", 0, 1),
        (0, "reads", "n", "10", 1, 2),
        (1, "writes", "n", "11", 2, 3),
        (0, "waits", "lock", "", 3, 4),
        (1, "jumps", "high", "", 4, 5),
        (0, "takes", "lock", "", 5, 6),
    )
    played = play_trace(trace, "thread")
    assert list_states(played.events, 0) == [
        ("reads", 0, 2),  # twice the same
        ("paused", 2, 3),
        ("locked", 3, 4),
        ("locked", 4, 5),
        ("runs", 5, 6),
    ]
    assert list_states(played.events, 1) == [("writes", 2, 3), ("paused", 3, 4), ("runs", 4, 5)]
    values = [(event.what, event.begin_us // MS) for event in played.events if event.lane == 2]
    assert values == [("10", 0), ("11", 2)]
    assert (played.names, played.things) == (["", ""], ["n"])


def test_a_traced_run_is_played_with_its_cores_and_only_the_lanes_of_a_kind():
    trace = make_trace(
        "us",
        ["thread 1", "task 2 fetch"],
        (0, "runs", "core 3", "", 0, 9),
        (1, "ready", "", "", 5, 7),
        (1, "runs", "core 2", "", 7, 9),
    )
    played = play_trace(trace, "task")
    assert played.names == ["fetch"]
    assert played.events == [
        Event(0, 0, 5, "sleeps"),
        Event(0, 5, 7, "ready"),
        Event(0, 7, 9, "runs", slot=2),
    ]
