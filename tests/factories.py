"""Made-up variants, records and experiments for tests that need none in particular."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from scripts.measure.experiment import Experiment, Family, Profile, Program
from scripts.measure.interpreters import Interpreter
from scripts.measure.machine import Cache, Machine
from scripts.measure.variant import Trial, Variant
from scripts.records.record import Record

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

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
) -> Record:
    """A record whose trials all did their work."""
    timed = tuple(
        Trial(
            status="ok",
            wall_s=wall,
            inside_s=wall - 0.1,
            user_s=cpu_s * 0.75,
            system_s=cpu_s * 0.25,
            max_rss_bytes=40_000_000,
            server_share=0.05,
        )
        for wall in walls
    )
    traced = Trial(status="ok", peak_pss_bytes=peak_pss_bytes, trace=((0.0, 1), (0.5, 2)))
    return Record(
        variant=variant,
        profile="quick",
        fingerprint="0123456789abcdef",
        seed=7,
        timed=timed,
        traced=(traced,),
        measured_at=NOW,
    )


def make_experiment(folder: Path = Path("lab")) -> Experiment:
    """Two families of two programs, with quick and smoke profiles."""
    return Experiment(
        name="lab",
        folder=folder,
        source="lab-notes",
        needs_server=False,
        shared=(),
        start_methods=("forkserver",),
        families=(
            Family(name="io", baseline="01-io-sequential"),
            Family(name="cpu", baseline="08-cpu-sequential", longest_task_share=0.3),
        ),
        programs=(
            Program(file="01-io-sequential.py", family="io", tasks=30, workers=1),
            Program(file="04-io-thread_pool.py", family="io", tasks=30, workers="thread-pool"),
            Program(file="08-cpu-sequential.py", family="cpu", tasks=21, workers=1),
            Program(
                file="12-cpu-process_pool.py",
                family="cpu",
                tasks=21,
                workers="cores",
                processes=True,
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
