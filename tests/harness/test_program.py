"""A program knows how it spreads its work, and where it shows nothing."""

from typing import Any

import pytest

from scripts.harness.declaration import Reason
from scripts.harness.experiment import find_program_problems
from tests.factories import make_program as declare

HERE = ("Linux", "on", 2, (3, 10))


@pytest.mark.parametrize(
    ("needs", "elsewhere", "reason"),
    [
        ({"system": "Linux"}, ("Darwin", *HERE[1:]), Reason("wrong-system", {"system": "Linux"})),
        ({"gil": "on"}, ("Linux", "off", 2, (3, 13)), Reason("needs-gil")),
        ({"cores": "several"}, ("Linux", "on", 1, (3, 13)), Reason("needs-cores")),
        ({"python": "3.7"}, (*HERE[:3], (3, 6)), Reason("needs-python", {"since": "3.7"})),
    ],
)
def test_a_program_that_shows_nothing_on_a_machine_says_why(
    needs: dict[str, Any], elsewhere: tuple[str, str, int, tuple[int, int]], reason: Reason
) -> None:
    program = declare(**needs)
    assert program.find_obstacle(*HERE) is None
    assert program.find_obstacle(*elsewhere) == reason


@pytest.mark.parametrize(
    ("kind", "carrier", "processes"),
    [
        ("sequential", "sequential", False),
        ("processes", "processes", True),
        ("coroutines + threads", "threads", False),
        ("coroutines + processes", "processes", True),
        ("processes + threads", "threads", True),
    ],
)
def test_the_last_of_a_mix_carries_the_work_out_and_any_may_start_processes(
    kind: str, carrier: str, processes: bool
) -> None:
    program = declare(kind=kind)
    assert program.ways[-1] == carrier
    assert program.processes is processes
    assert list(find_program_problems(program, ["spawn"])) == []
