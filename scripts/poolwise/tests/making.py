"""Made-up variants, records and experiments for tests that need none in particular."""

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import structs

from poolwise.declaration import Reason
from poolwise.experiment import Experiment, Family, Profile, Program
from poolwise.load import Meter
from poolwise.machine import Cache, Machine
from poolwise.metrics import Values
from poolwise.pythons import Interpreter
from poolwise.record import CELL, Record, Trial, Variant
from poolwise.samplers import Usage
from poolwise.watch import Lane

IO = {"en": "Waiting (I/O)", "ru": "Ожидание (ввод-вывод)"}
CPU = {"en": "Computing (CPU)", "ru": "Вычисления (ЦП)"}
EXITED = Reason("exited", {"code": "1"})
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

# An `experiment.toml`; see `write_experiment`.
DECLARATION = """\
schema = 1
source = "us"
server = false
shared = ["tasks.py"]
start_methods = ["forkserver"]

[families.io]
title = { en = "Waiting", ru = "Ожидание" }
baseline = "one"

[[programs]]
file = "one.py"
name = { en = "the first", ru = "первая" }
kind = "sequential"
families = ["io"]
tasks = 3
workers = 1

[[programs]]
file = "two.py"
name = { en = "the second", ru = "вторая" }
kind = "threads"
families = ["io"]
tasks = 3
workers = "tasks"

[profiles.quick]
trials = 5
memory_trials = 1
timeout_s = 10
estimate_s = 0.5
params = { SIZE = "3" }
longest_wait_s = { io = 0.5 }

[[profiles.quick.sweeps]]
programs = ["two"]
tasks = { from = 3, to = 5, step = 2 }

[profiles.smoke]
trials = 2
memory_trials = 1
timeout_s = 10
estimate_s = 0.5

[profiles.full]
trials = 5
memory_trials = 1
timeout_s = 10
estimate_s = 0.5

[navigation]
title = { en = "Lab", ru = "Лаборатория" }
place = 10

[terms.topics]
io = { en = "waiting", ru = "ожидание" }

[terms.source]
an-article = { en = "an article", ru = "статья" }
"""

VARIANT = Variant(
    experiment="lab",
    program="01-io-sequential",
    family="io",
    machine="box",
    interpreter="cpython-3.13.0",
    gil="on",
    start_method=None,
    cores=1,
    workers=1,
    tasks=30,
    params={"SCALE": "1"},
)


def make_variant(**changes: object) -> Variant:
    """A variant like ``VARIANT`` but for ``changes``."""
    return replace(VARIANT, **changes)  # type: ignore[arg-type]


def make_record(
    variant: Variant = VARIANT,
    walls: Sequence[float] = (2.0, 2.1, 1.9, 2.0, 2.05),
    *,
    peak_pss_bytes: int = 50_000_000,
    cpu_s: float = 0.4,
    readings: Mapping[str, Sequence[float]] | None = None,
    printed: str = "",
) -> Record:
    """A record whose trials all did their work; ``readings`` have a value for each of ``walls``."""
    timed = tuple(
        Trial(
            status="ok",
            values=make_values(wall, cpu_s),
            readings={name: values[place] for name, values in (readings or {}).items()},
        )
        for place, wall in enumerate(walls)
    )
    traced = Trial(
        status="ok",
        values={"peak_pss_bytes": peak_pss_bytes},
        trace=((0.0, 1, 0.0), (0.5, peak_pss_bytes, 0.4)),
    )
    record = Record(
        **{name: getattr(variant, name) for name in CELL},
        status="ok",
        readings={},
        printed=printed,
        traces=[],
        stderr="",
        profile="quick",
        fingerprint="0123456789abcdef",
        seed=7,
        measured_at=NOW,
        wall_s=[],
        peak_pss_bytes=[],
    )
    return record.with_trials(timed=timed, traced=(traced,))


def read_undigested(path: Path) -> Any:
    """A results file as JSON without the digests of its rows, as whoever edits it by hand leaves it."""
    file = json.loads(path.read_text(encoding="utf-8"))
    for row in file["rows"]:
        row.pop("digest", None)
    return file


def replace(value: Any, **changes: Any) -> Any:
    """The same but for these changes; of a record, trials and variant may be changed too."""
    if not isinstance(value, Record):
        plain = structs.replace if isinstance(value, msgspec.Struct) else dataclasses.replace
        return plain(value, **changes)
    passes = {
        name: changes.pop(name) for name in ("timed", "traced", "disturbed") if name in changes
    }
    if "variant" in changes:
        variant = changes.pop("variant")
        changes |= {name: getattr(variant, name) for name in CELL}
    return structs.replace(value.with_trials(**passes), **changes)


def make_values(wall_s: float, cpu_s: float = 0.4, **changes: float | None) -> Values:
    """What a timed trial gave that took so long."""
    plain = {
        "wall_s": wall_s,
        "inside_s": wall_s - 0.1,
        "user_s": cpu_s * 0.75,
        "system_s": cpu_s * 0.25,
        "max_rss_bytes": 40_000_000,
        "server_share": 0.05,
        "stolen_share": 0.0,
        "others_share": 0.03,
    }
    return plain | changes


def make_program(**changes: object) -> Program:
    """A program of the family ``io`` that does its 21 tasks one after another, named as its file."""
    plain = {"file": "one.py", "kind": "sequential", "families": ["io"], "tasks": 21, "workers": 1}
    name = str(changes.get("file", "one.py")).removesuffix(".py")
    return Program(title={"en": name, "ru": name}, **plain | changes)  # type: ignore[arg-type]


def make_experiment(folder: Path = Path("lab")) -> Experiment:
    """Two families of two programs, with quick and smoke profiles."""
    return Experiment(
        name="lab",
        folder=folder,
        source="an-article",
        server=False,
        shared=(),
        start_methods=("forkserver",),
        families=(
            Family(name="io", title=IO, baseline="01-io-sequential"),
            Family(name="cpu", title=CPU, baseline="08-cpu-sequential", longest_task_share=0.3),
        ),
        programs=(
            make_program(file="01-io-sequential.py", tasks=30),
            make_program(
                file="04-io-thread_pool.py", kind="threads", tasks=30, workers="thread-pool"
            ),
            make_program(file="08-cpu-sequential.py", families=["cpu"]),
            make_program(
                file="12-cpu-process_pool.py", kind="processes", families=["cpu"], workers="cores"
            ),
        ),
        profiles={
            name: Profile(
                name=name,
                trials=trials,
                memory_trials=1,
                timeout_s=10,
                estimate_s=0.5,
                params={"SCALE": "1"},
                longest_wait_s={"io": 0.5},
            )
            for name, trials in (("smoke", 2), ("quick", 5))
        },
    )


def alter(
    experiment: Experiment,
    kind: Literal["families", "programs", "profiles"],
    name: str,
    /,
    **changes: object,
) -> Experiment:
    """The experiment with changes to one of its families, programs or profiles."""
    if kind == "profiles":
        profile = structs.replace(experiment.profiles[name], **changes)
        return structs.replace(experiment, profiles={**experiment.profiles, name: profile})
    declared = tuple(
        structs.replace(part, **changes) if part.name == name else part
        for part in getattr(experiment, kind)
    )
    return structs.replace(experiment, **{kind: declared})  # type: ignore[arg-type]


def write_experiment(folder: Path, declaration: str = DECLARATION) -> None:
    """Make a folder of an experiment, with the files that ``DECLARATION`` names."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("one.py", "two.py", "tasks.py"):
        (folder / name).write_text("pass\n")
    (folder / "experiment.toml").write_text(declaration, encoding="utf-8")


def make_interpreter(**changes: object) -> Interpreter:
    """The interpreter of ``VARIANT``."""
    interpreter = Interpreter(
        id="cpython-3.13.0",
        implementation="cpython",
        version="3.13.0",
        compiler="GCC 12.2.0",
        build="main Oct  7 2024",
        free_threaded=False,
        gil="on",
        debug=False,
        jit=False,
        start_method="fork",
    )
    return replace(interpreter, **changes)  # type: ignore[arg-type]


def make_build(version: str, flags: str = "", **changes: object) -> Interpreter:
    """A CPython of a version, ``t`` without the GIL, ``t-gil`` with it."""
    facts: dict[str, object] = {"id": f"cpython-{version}{flags}", "version": version}
    if flags.startswith("t"):
        facts |= {"free_threaded": True, "gil": "on" if flags.endswith("-gil") else "off"}
    return make_interpreter(**facts | changes)


def make_machine(**changes: object) -> Machine:
    """The machine of ``VARIANT``, with something unknown about it."""
    machine = Machine(
        id="box",
        cpu_model="Example CPU",
        architecture="x86_64",
        byte_order="little",
        logical_cores=2,
        physical_cores=2,
        smt=1,
        cpu_mhz=2400.0,
        frequency_boost=None,
        governor=None,
        caches=(Cache(name="L2", size_bytes=1 << 20, instances=2),),
        affinity=(0, 1),
        quota_cores=None,
        cgroup=None,
        memory_bytes=8 << 30,
        swap_bytes=0,
        system="Linux",
        os="Debian GNU/Linux 12",
        kernel="6.1.0",
        libc="glibc 2.36",
        virtualisation="none",
        hypervisor=None,
        container=None,
    )
    return replace(machine, **changes)  # type: ignore[arg-type]


class LoadedMachine:
    """Two cores whose clock goes on only while a meter rests; what others take of them is given."""

    def __init__(
        self,
        others: Callable[[float], float],
        stolen: float = 0.0,
        meter_class: type[Meter] = Meter,
    ) -> None:
        self.now_s = 0.0
        self.pressed_at_s = float("inf")
        self._others, self._stolen = others, stolen
        self._busy_s = self._stolen_s = 0.0
        self.meter = meter_class((0, 1), self.read, self.rest)

    def read(self) -> Usage:
        halves = (self._busy_s / 2,) * 2
        return Usage(at_s=self.now_s, busy_s=halves, stolen_s=(self._stolen_s, 0.0))

    def rest(self, seconds: float) -> bool:
        self._busy_s += seconds * self._others(self.now_s)
        self._stolen_s += seconds * self._stolen
        self.now_s += seconds
        return self.now_s >= self.pressed_at_s

    def run(self, others: float, times: int = 1, cores: int = 2) -> None:
        for _ in range(times):
            values = make_values(1.0, others_share=others, stolen_share=0.0)
            self.meter.add(Trial(status="ok", values=values), cores)


def make_lane(**changes: Any) -> Lane:
    """A thread that ran, waited for a core and ran on another one."""
    usual: dict[str, Any] = {
        "process": 1,
        "thread": 1,
        "begin_us": 0,
        "end_us": 100_000,
        "running_us": 60_000,
        "waiting_us": 10_000,
        "spans": [(0, 40_000, 1), (50_000, 60_000, 0), (60_000, 80_000, 2)],
    }
    return Lane(**usual | changes)
