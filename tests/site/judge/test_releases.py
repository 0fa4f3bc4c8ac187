"""What a program earns on each Python, the oldest first, and whether that depends on which."""

from scripts.harness.pythons import Interpreter
from scripts.harness.record import Record
from scripts.site.judge.releases import Career, choose_released, list_careers, order_releases
from tests.factories import make_interpreter, make_record, make_variant
from tests.site.render.markup import make_evidence

POOL = "04-io-thread_pool"
SLOW, FAST = [2.0, 2.01, 1.99, 2.0, 2.005], [1.0, 1.01, 0.99, 1.0, 1.005]


def find(version: str, flags: str = "", **facts: object) -> Interpreter:
    return make_interpreter(id=f"cpython-{version}{flags}", version=version, **facts)


OLD, NEW, FREE = find("3.9.2"), find("3.13.0"), find("3.13.0", "t", free_threaded=True, gil="off")


def measure(python: Interpreter, pool: list[float], cores: int = 1) -> list[Record]:
    place = {"interpreter": python.id, "gil": python.gil, "cores": cores}
    return [
        make_record(make_variant(**place), SLOW),
        make_record(make_variant(program=POOL, workers=30, **place), pool),
    ]


def find_pool(*records: Record, pythons: tuple[Interpreter, ...] = (NEW, OLD)) -> Career:
    (found,) = list_careers(make_evidence(records, pythons), "io")
    return found


def test_the_oldest_comes_first_and_of_one_version_the_plain_build() -> None:
    assert order_releases([FREE, NEW, find("3.10.1"), OLD]) == [OLD, find("3.10.1"), NEW, FREE]


def test_a_verdict_that_is_another_on_another_python_depends_on_it() -> None:
    found = find_pool(*measure(NEW, FAST), *measure(OLD, SLOW))
    assert list(found.verdicts) == [OLD.id, NEW.id]
    assert found.verdicts[NEW.id] == "recommended"
    assert found.differs


def test_a_verdict_that_is_the_same_on_all_does_not() -> None:
    assert not find_pool(*measure(NEW, FAST), *measure(OLD, FAST)).differs


def test_what_is_open_on_one_python_does_not_make_a_difference() -> None:
    unsure = [1.0, 3.0, 0.5, 2.5, 1.8]
    found = find_pool(*measure(NEW, FAST), *measure(OLD, unsure))
    assert list(found.verdicts) == [NEW.id]
    assert not found.differs


def test_programs_that_one_python_alone_has_run_have_nothing_to_compare() -> None:
    evidence = make_evidence([*measure(NEW, FAST), *measure(OLD, FAST)[:1]], (NEW, OLD))
    assert list(list_careers(evidence, "io")) == []


def test_those_on_the_most_cores_come_first() -> None:
    records = [one for python in (NEW, OLD) for n in (1, 2) for one in measure(python, FAST, n)]
    found = list_careers(make_evidence(records, (NEW, OLD)), "io")
    assert [(one.cores, one.program) for one in found] == [(2, POOL), (1, POOL)]


def test_of_several_machines_the_first_with_several_pythons_is_taken_else_the_first() -> None:
    alone = make_evidence(measure(NEW, FAST), (NEW,))
    several = make_evidence([*measure(NEW, FAST), *measure(OLD, FAST)], (NEW, OLD))
    assert choose_released([alone, several], ["cpu", "io"]) is several
    assert choose_released([alone, alone], ["io"]) is alone
