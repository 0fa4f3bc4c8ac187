"""From release to release the times of builds alike are compared, and only of these."""

from collections.abc import Sequence

from scripts.harness.pythons import Interpreter
from scripts.harness.record import Record
from scripts.site.judge.releases import Track, choose_released, list_tracks
from tests.factories import make_build, make_record, make_variant
from tests.site.render.markup import make_evidence

FAMILIES = ["io"]
FAST, SLOW = [1.0, 1.01, 0.99, 1.0, 1.005], [1.5, 1.51, 1.49, 1.5, 1.505]


OLD, ALPHA, NEW = map(make_build, ("3.14.2", "3.15.0a3", "3.15.0"))
FREE = make_build("3.14.2", "t")


def run(build: Interpreter, walls: Sequence[float] = FAST, workers: int = 1) -> Record:
    place = {"interpreter": build.id, "gil": build.gil, "cores": 2, "workers": workers}
    return make_record(make_variant(**place), walls)


def track(*records: Record, builds: Sequence[Interpreter]) -> list[Track]:
    return [*list_tracks(make_evidence(records, builds), FAMILIES).values()]


def test_releases_come_in_their_order_with_the_gil_and_without_apart() -> None:
    builds = [NEW, FREE, ALPHA, OLD]
    (found,) = track(*map(run, builds), builds=builds)
    versions = ["3.14.2", "3.14.2", "3.15.0a3", "3.15.0"]
    assert list(found) == list(zip(versions, ["on", "off", "on", "on"], strict=True))


def test_of_builds_of_several_options_those_with_most_versions_are_compared() -> None:
    tuned = make_build("3.14.2", "-0a1b2c", pgo=True, lto=True)
    builds = [tuned, OLD, NEW]
    (found,) = track(*map(run, builds), builds=builds)
    assert [row.interpreter for row in found.values()] == [OLD.id, NEW.id]


def test_a_free_threaded_build_with_the_gil_is_no_other_release() -> None:
    locked = make_build("3.14.2", "t-gil")
    (found,) = track(run(FREE), run(locked), builds=[FREE, locked])
    assert list(found) == [("3.14.2", "off")]


def test_more_workers_than_cores_are_left_out() -> None:
    records = [run(OLD), run(OLD, workers=2), run(OLD, workers=4)]
    tracks = list_tracks(make_evidence(records, [OLD]), FAMILIES)
    assert [workers for _, _, workers in tracks] == [1, 2]


def test_the_machine_with_most_releases_is_chosen_else_the_first() -> None:
    one, two = (make_evidence(map(run, builds), builds) for builds in ([OLD], [OLD, NEW]))
    assert choose_released([one, two], FAMILIES) is two
    assert choose_released([one, one], FAMILIES) is one
