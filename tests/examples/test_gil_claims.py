"""The claims that the pages on the GIL open with, on made-up trials of Pythons of every kind.

Free-threaded builds are not on every machine: here threads behave as they should with and without
the GIL, and each claim is to hold where it applies and to say why where it does not.
"""

import pytest

from scripts.harness.declaration import Reason
from scripts.harness.pythons import Interpreter
from scripts.harness.record import Record
from scripts.site.declare.claims import Claim
from scripts.site.judge.claims import Check, check_claims
from scripts.site.judge.judge import judge_records
from tests.declared import DECLARED
from tests.factories import make_interpreter, make_record, make_variant
from tests.site.render.markup import make_evidence

FAMILY = "versions-no-random"
WITH, WITHOUT = (
    "modulo-threads-as-long-as-the-loop-with-the-gil",
    "modulo-threads-compute-in-parallel-without-the-gil",
)
INTERPRETERS = "modulo-interpreters-compute-in-parallel"
MODULO, ORDERS = (DECLARED.experiments[name] for name in ("modulo", "free-threads"))
OLD = make_interpreter()
FREE = make_interpreter(id="cpython-3.14.1t", version="3.14.1", free_threaded=True, gil="off")
LOCKED = make_interpreter(id="cpython-3.14.1t-gil", version="3.14.1", free_threaded=True)
ORDINARY = make_interpreter(id="cpython-3.14.0", version="3.14.0")
TIMES_S = {
    "01-one_thread": (1.0, 1.1), "02-threads-own_sums": (1.02, 0.6), "04-threads-list": (1.1, 0.9),
    "05-threads-dict": (1.2, 0.9), "06-threads-counter": (1.1, 0.9), "07-threads-lock": (3.0, 1.4),
    "08-fees-one_thread": (1.0, 1.1), "09-fees-shared": (1.05, 1.6), "10-fees-own": (1.0, 0.6),
}  # fmt: skip
"""Of orders and fees on two cores, with the GIL and without."""


def measure(python: Interpreter, program: str, wall_s: float, cores: float) -> Record:
    variant = make_variant(
        experiment="modulo", program=program, family=FAMILY, interpreter=python.id,
        gil=python.gil, cores=2,
    )  # fmt: skip
    return make_record(variant, [wall_s] * 8, cpu_s=wall_s * cores)


def measure_sums(python: Interpreter) -> list[Record]:
    """What the sums should take on two cores of a Python: in a loop, in threads, in interpreters."""
    threads = (1.0, 2.0) if python.gil == "off" else (2.1, 1.0)
    records = [measure(python, "01-blocking", 2.0, 1), measure(python, "02-threads", *threads)]
    if python.minor >= (3, 14):
        records.append(measure(python, "08-interpreters", 1.1, 1.9))
    return records


def measure_orders(python: Interpreter) -> list[Record]:
    """What the programs of Threads without the GIL should take on two cores of a Python."""
    is_free = python.gil == "off"

    def measure(program: str, family: str, workers: int, wall_s: float, cores: float) -> Record:
        variant = make_variant(
            experiment="free-threads", program=program, family=family, interpreter=python.id,
            gil=python.gil, cores=2, workers=workers, tasks=1000, params={},
            start_method="forkserver" if "processes" in program else None,
        )  # fmt: skip
        return make_record(variant, [wall_s] * 8, cpu_s=wall_s * cores)

    records = []
    for program, times_s in TIMES_S.items():
        family = "fees" if "fees" in program else "orders"
        records.append(measure(program, family, 2, times_s[is_free], 1.8 if is_free else 1.0))
    for workers in (1, 2, 4, 8):
        spread = min(workers, 2)
        threads = spread if is_free else 1
        records.append(
            measure("02-threads-own_sums", "scaling", workers, 4.0 / threads, 0.97 * threads)
        )
        processes_s = 4.0 / spread + 0.1 * workers
        records.append(measure("03-processes-own_sums", "scaling", workers, processes_s, spread))
    return records


def check(claim_id: str, *pythons: Interpreter) -> dict[str, Check]:
    """The check of a claim on two cores of each Python, by its id."""
    records = [record for python in pythons for record in measure_sums(python)]
    evidence = make_evidence(records, pythons, MODULO)
    judged = judge_records(MODULO, records)
    claims = [one for one in DECLARED.claims["modulo"] if one.id == claim_id]
    found = check_claims(claims, judged, "Linux", evidence.find_obstacle)
    return {one.interpreter: one for one in found}


def test_with_the_gil_threads_take_as_long_as_the_loop_on_one_build_and_without_it_half() -> None:
    with_gil, without = check(WITH, OLD, FREE, LOCKED), check(WITHOUT, OLD, FREE, LOCKED)
    statuses = {id_: (with_gil[id_].status, without[id_].status) for id_ in with_gil}
    assert statuses == {
        OLD.id: ("confirmed", "not applicable"),
        FREE.id: ("not applicable", "confirmed"),
        LOCKED.id: ("confirmed", "not applicable"),
    }


def test_interpreters_compute_in_parallel_whatever_the_gil() -> None:
    found = check(INTERPRETERS, OLD, FREE, LOCKED)
    assert {id_: one.status for id_, one in found.items()} == {
        FREE.id: "confirmed",
        LOCKED.id: "confirmed",
    }


@pytest.mark.parametrize("claim_id", [WITHOUT, INTERPRETERS])
def test_without_such_a_python_a_claim_does_not_apply_and_says_why(claim_id: str) -> None:
    (found,) = check(claim_id, OLD).values()
    assert found.status == "not applicable"
    too_old = (("08-interpreters", Reason("needs-python", {"since": "3.14"})),)
    assert found.reasons == (too_old if claim_id == INTERPRETERS else ())


@pytest.mark.parametrize(
    "claim", DECLARED.claims["free-threads"], ids=lambda one: one.id.removeprefix("free-threads-")
)
def test_what_is_said_of_free_threads_holds_on_the_builds_it_is_about_alone(claim: Claim) -> None:
    pythons = (OLD, ORDINARY, FREE, LOCKED)
    records = [record for python in pythons for record in measure_orders(python)]
    found = check_claims([claim], judge_records(ORDERS, records), "Linux")
    expected = {
        python.id: "confirmed" if claim.where.gil == python.gil else "not applicable"
        for python in pythons
    }
    assert {one.interpreter: one.status for one in found} == expected
