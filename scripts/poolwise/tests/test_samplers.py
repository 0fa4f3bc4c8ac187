"""The memory of a whole process tree is seen, shared pages once."""

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import psutil
import pytest

from poolwise import samplers
from poolwise.process import Command, Launcher, Outcome
from poolwise.record import TracePoint

PROGRAMS = Path(__file__).parent / "programs"
MB = 10**6

needs_pss = pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists(), reason="this system does not tell PSS"
)


def watch(
    name: str,
    *arguments: object,
    sampler: type[samplers.Sampler] = samplers.TreeSampler,
    grace_s: float = 30.0,
) -> tuple[Outcome, tuple[TracePoint, ...]]:
    argv = (sys.executable, str(PROGRAMS / name), *map(str, arguments))
    with Launcher() as launcher:
        command = Command(argv=argv, env=os.environ, cwd=PROGRAMS, grace_s=grace_s)
        outcome = launcher.run(command, sampler())
    return outcome, outcome.memory


each_sampler = pytest.mark.parametrize("sampler", [samplers.TreeSampler, samplers.ProfilerSampler])


@needs_pss
@each_sampler
def test_four_children_of_50_mb_are_seen_as_200_mb_in_a_trace_that_goes_forward(sampler):
    outcome, memory = watch("hold.py", 50, 4, sampler=sampler)
    assert outcome.exit_code == 0
    assert 200 * MB < (samplers.find_peak(memory) or 0) < 260 * MB
    assert outcome.usage["ru_maxrss"] < 100 * MB
    times_s = [at_s for at_s, _, _ in memory]
    assert len(times_s) > 1
    assert times_s == sorted(set(times_s))


def test_a_slow_reading_is_followed_by_a_rest_as_long_so_that_programs_are_not_held_up():
    class Slow(samplers.Sampler):
        def _read_pss(self, pid: int) -> int:
            time.sleep(0.04)
            return pid

    began_s = time.perf_counter()
    sampler = Slow()
    child = subprocess.Popen((sys.executable, "-c", "import time; time.sleep(0.5)"))
    with sampler.watch(os.getpid()):
        child.wait()
    spent_s = time.perf_counter() - began_s
    # Without a rest there would be one every 0.04 s.
    assert 1 <= len(sampler.trace) <= spent_s / 0.08 + 1


@needs_pss
@each_sampler
def test_memory_shared_by_forked_children_counts_once(sampler):
    _, memory = watch("share.py", 80, 4, sampler=sampler)
    assert 80 * MB < (samplers.find_peak(memory) or 0) < 120 * MB


@needs_pss
def test_orphans_and_daemons_belong_to_the_tree(tmp_path):
    """The program itself ends at once; what is sampled last is what it left behind."""
    seen: list[int] = []

    class Witness(samplers.TreeSampler):
        def _read_pss(self, pid: int) -> int | None:
            size = super()._read_pss(pid)
            seen.extend([pid] if size else [])
            return size

    watch("daemon.py", tmp_path / "pids", sampler=Witness, grace_s=0.5)
    assert seen[-1] == int((tmp_path / "pids").read_text())


def test_what_a_sampler_needs_is_there_before_the_program_starts():
    code = (
        "import sys; from poolwise.samplers import ProfilerSampler; ProfilerSampler();"
        "print('memory_profiler' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


@needs_pss
def test_cpu_time_of_the_whole_tree_adds_up_along_the_trace():
    """However late the last sample: it is past half of the whole, twice what one child used."""
    burnt_s, children, rounding_s = 0.3, 4, 0.1
    outcome, memory = watch("burn.py", burnt_s, children)
    used_s = [cpu_s for _, _, cpu_s in memory if cpu_s is not None]
    assert used_s == sorted(used_s)
    assert (
        burnt_s * children / 2
        < used_s[-1]
        <= outcome.usage["ru_utime"] + outcome.usage["ru_stime"] + rounding_s
    )


@needs_pss
@each_sampler
def test_a_sum_that_lacks_a_process_is_thrown_away(sampler, monkeypatch):
    """The program itself may not be read, as if it were another user's; its children may, but end sooner."""
    refused: list[int] = []
    read = sampler._read_pss

    def refuse(self: samplers.Sampler, pid: int) -> int | None:
        with suppress(psutil.NoSuchProcess):  # it has just gone
            parent = psutil.Process(psutil.Process(pid).ppid())
            if "hold.py" not in " ".join(parent.cmdline()):
                refused.append(pid)
                deny()
        return read(self, pid)

    monkeypatch.setattr(sampler, "_read_pss", refuse)
    _, memory = watch("hold.py", 20, 2, sampler=sampler)
    assert refused
    assert memory == ()


def deny(*_: object, **__: object) -> NoReturn:
    raise PermissionError


@needs_pss
def test_a_process_that_may_not_be_read_is_not_taken_for_one_that_has_gone(monkeypatch):
    monkeypatch.setattr(samplers, "open", deny, raising=False)
    with pytest.raises(PermissionError):
        samplers.TreeSampler()._read_pss(os.getpid())
    profiler = samplers.ProfilerSampler()
    monkeypatch.setattr(profiler, "_read_usage", lambda *_, **__: [None])
    with pytest.raises(PermissionError):
        profiler._read_pss(os.getpid())


def test_without_pss_there_is_no_number(monkeypatch, tmp_path):
    monkeypatch.setattr(samplers, "PROC", tmp_path)
    outcome, memory = watch("burn.py", 0.01, 1)
    assert outcome.exit_code == 0
    assert memory == ()


def test_long_trace_is_thinned_but_keeps_every_spike():
    spikes = {1234: 10**9, 5678: 10**8}
    points = [(index / 100, spikes.get(index, 1000), index / 200) for index in range(10_000)]
    thinned = samplers.thin_trace(points)
    assert len(thinned) <= samplers.MAX_POINTS
    assert {points[index] for index in spikes} <= set(thinned)
    assert list(thinned) == sorted(thinned)


def make_process(proc: Path, pid: int, parent: int) -> None:
    (proc / str(pid)).mkdir(exist_ok=True)
    (proc / str(pid) / "stat").write_text(f"{pid} (a) b) c) S {parent} 1 1 0")


def test_descendants_are_found_through_all_generations_and_an_orphan_at_the_next_tick(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(samplers, "PROC", tmp_path)
    for pid, parent in ((1, 0), (2, 0), (50, 1), (100, 50), (101, 50)):
        make_process(tmp_path, pid, parent)
    descendants = samplers.Descendants(100)
    for pid, parent in ((110, 100), (109, 110), (120, 101)):  # pids may wrap round
        make_process(tmp_path, pid, parent)
    make_process(tmp_path, 112, 111)  # whose parent has just gone
    assert descendants.find() == {109, 110}
    make_process(tmp_path, 112, 100)
    assert descendants.find() == {109, 110, 112}
