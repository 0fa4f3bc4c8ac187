"""Faults: builds are killed, starved and misled, files damaged and forged; what that costs is counted.

A fault costs something if records that were there before are gone or can no longer be read, if somebody
sees a traceback, if a process or a part of a file is left, or if the next run does not measure the rest.
"""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import msgspec
import psutil

from making import read_undigested
from poolwise.store import RecordsError, Store, list_files, read_results, replace_file
from scripts.site.paths import ROOT
from scripts.site.study.agenda import FILE
from scripts.site.study.faults import PATH, Campaign, Kind, Tally
from tests.browser.made_up import HOSTILE, forge
from tests.copies import copy_repository, leave_pages, name_sources

Losses = list[str]
"""What a fault has cost, in sentences; none if it has cost nothing."""
ONLY = "json/0[123]*"
SMALL = {"PROFILE": "smoke", "INTERPRETERS": "current", "ONLY": ONLY}
SEED = 41
KILLS, GROUP_KILLS, SIGNALS = 8, 4, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
TRUNCATIONS, FLIPS = 40, 200
MOST_S = 300.0
"""Of a run that is to end by itself."""
PATIENCE_S = 5.0
"""How soon programs of a build that was killed have ended."""
PAGE_BYTES = 4096
"""Of a small disk, which is memory."""
SMALL_DISK_BYTES = 16 << 20
"""Of a disk on which a site has no place."""
SHAPES: tuple[object, ...] = (None, True, -1, 1e308, "", "x", [], [[]], {}, {"x": 1})
"""Values that are put in the place of others."""
CLOCK = """\
import datetime, runpy, sys
from poolwise import run
from scripts.site.study import pipeline, unfinished
class Clock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.datetime.now(tz) + datetime.timedelta(days={days})
for module in (run, unfinished, pipeline):
    module.datetime = Clock
sys.argv = ["scripts.site", "measure"]
from scripts.site.__main__ import main
sys.exit(main())
"""
MEASURE = ("-m", "scripts.site", "measure")


@dataclass
class Lab:
    """A folder in which builds run, with records of ``before``; ``took_s`` is how long measuring these took."""

    folder: Path
    chance: random.Random = field(default_factory=lambda: random.Random(SEED))
    took_s: float = 0.0

    @property
    def before(self) -> Path:
        """The records that there are before each fault."""
        return self.folder / "before"

    @property
    def results(self) -> Path:
        """The records that a build finds and adds to."""
        return self.folder / "results"

    @property
    def temporary(self) -> Path:
        """The folder of temporary files, by which processes of a build are known."""
        return self.folder / "temporary"

    def prepare(self) -> None:
        """Measure what is there before."""
        began_s = monotonic()
        self.reset()
        status, said = self.run(RESULTS=str(self.before))
        if status:
            raise RuntimeError(f"nothing can be measured here:\n{said}")
        self.took_s = monotonic() - began_s

    def reset(self) -> None:
        """Put back what was there before."""
        for path in (self.results, self.temporary):
            shutil.rmtree(path, ignore_errors=True)
        if self.before.exists():
            shutil.copytree(self.before, self.results)
        self.temporary.mkdir()

    def start(
        self,
        command: Sequence[str] = MEASURE,
        *,
        limit: tuple[int, int] | None = None,
        cwd: Path = ROOT,
        **settings: str,
    ) -> subprocess.Popen[bytes]:
        """Start a build, its messages into a file; ``limit`` is a resource and how much of it there is."""
        wishes = {
            "RESULTS": str(self.results),
            "TMPDIR": str(self.temporary),
            "PYTHONPATH": name_sources(cwd),
        }
        wishes["PYTHONDONTWRITEBYTECODE"] = "1"  # 3.13.0 keeps files of it that a limit has cut off
        unset = ("FRESH", "MACHINE", "MEASURE", "SITE", "GITHUB_STEP_SUMMARY")
        kept = {name: value for name, value in os.environ.items() if name not in unset}

        def prepare() -> None:
            for number in SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            if limit:
                resource.setrlimit(limit[0], (limit[1], limit[1]))

        with (self.folder / "said").open("ab") as said:
            return subprocess.Popen(
                (sys.executable, *command),
                cwd=cwd,
                env=kept | SMALL | wishes | settings,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
                preexec_fn=prepare,
            )

    def run(self, *command: str, **options: Any) -> tuple[int, str]:
        """Run a build to its end; gives its status and its messages."""
        status = self.start(command or MEASURE, **options).wait(MOST_S)
        return status, self.read_said()

    def read_said(self) -> str:
        """Read, once, what builds have said."""
        path = self.folder / "said"
        said = path.read_text(errors="replace")
        path.unlink()
        return said

    def look(self, said: str) -> Losses:
        """List what is lost of the records before, and what nobody should see."""
        losses = []
        if "Traceback (most recent call last)" in said:
            losses.append(f"a traceback: {said.strip().splitlines()[-1]}")
        for path in list_files(self.before):
            losses += _compare(path, self.results / path.relative_to(self.before))
        until_s = monotonic() + PATIENCE_S
        while (running := self._list_running()) and monotonic() < until_s:
            sleep(0.05)
        return losses + [f"still running: {name}" for name in running]

    def go_on(self, **settings: str) -> Losses:
        """Run again, which has to measure what is missing and leave nothing but records."""
        left = (self.results / FILE).exists()
        status, said = self.run(**settings)
        losses = self.look(said)
        if status:
            losses.append(f"the next run has ended with {status}: {said.strip()[-300:]}")
        if left and "was cut off" not in said:
            losses.append("the next run does not say what was cut off")
        # What multiprocessing has made for a program that was killed is that program's.
        made = [path for path in self.temporary.iterdir() if not path.name.startswith("pymp-")]
        parts = [*self.results.rglob("*.part"), *self.results.rglob(FILE), *made]
        losses += [f"left: {path.name}" for path in parts]
        for path in list_files(self.results):
            found = read_results(path)
            if left and found and len({record.sessions for record in found.records}) > 1:
                losses.append(f"{path.name}: not all records have the session that was cut off")
        return losses

    def _list_running(self) -> list[str]:
        running = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get("TMPDIR") == str(self.temporary):
                    running.append(" ".join(process.cmdline())[:200])
        return running


def _compare(before: Path, after: Path) -> Losses:
    """Compare a file of records with what has become of it: each trial has to be there."""
    old = read_results(before)
    try:
        new = read_results(after)
    except RecordsError as error:
        return [f"damaged: {error}"]
    if not old or not new:
        return [f"{after.name} is gone"]
    known = {(record.profile, record.variant): record for record in new.records}
    return [
        f"lost: {record.variant}"
        for record in old.records
        if (record.profile, record.variant) not in known
        or known[record.profile, record.variant].within(*record.sessions).wall_s != record.wall_s
    ]


def kill(lab: Lab) -> Iterator[Losses]:
    """Kill the process that measures, at a random moment."""
    for _ in range(KILLS):
        yield _end(lab, lambda build: build.kill())


def kill_group(lab: Lab) -> Iterator[Losses]:
    """Kill the process that measures with all that it has started."""
    for _ in range(GROUP_KILLS):
        yield _end(lab, lambda build: os.killpg(build.pid, signal.SIGKILL))


def send_signals(lab: Lab) -> Iterator[Losses]:
    """Send what a terminal, a closing terminal and a system send."""
    for number in SIGNALS:
        yield _end(lab, partial(_send, number), told="is kept")


def _send(number: int, build: subprocess.Popen[bytes]) -> None:
    build.send_signal(number)


def _end(lab: Lab, end: Callable[[subprocess.Popen[bytes]], object], *, told: str = "") -> Losses:
    lab.reset()
    build = lab.start(FRESH="1")
    with suppress(subprocess.TimeoutExpired):
        build.wait(lab.chance.uniform(0.3, 0.9) * lab.took_s)
    if build.poll() is None:
        end(build)
    build.wait(MOST_S)
    said = lab.read_said()
    losses = lab.look(said)
    if told and build.returncode and told not in said:
        losses.append(f"the build does not say that what was measured {told}")
    return losses + lab.go_on()


@contextmanager
def mount(folder: Path, size: int) -> Iterator[bool]:
    """A small disk of its own in a folder, where that is allowed: tells whether it is."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder))
    is_mounted = (
        bool(shutil.which("mount"))
        and not subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode
    )
    if not is_mounted:
        print("no small disk can be mounted here: what needs one is not tried", file=sys.stderr)
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(("umount", "--lazy", str(folder)), check=True)


def fill_disk(lab: Lab) -> Iterator[Losses]:
    """Give records no place, by a limit and on a small disk, and a site none."""
    largest = max(path.stat().st_size for path in list_files(lab.before))
    for limit_bytes in (1000, largest // 2, largest + 1000):
        lab.reset()
        _, said = lab.run(FRESH="1", limit=(resource.RLIMIT_FSIZE, limit_bytes))
        silence = _find_silence(said, "cannot be kept", "launcher is gone")
        yield lab.look(said) + silence + lab.go_on()
    pages = [-(-path.stat().st_size // PAGE_BYTES) for path in lab.before.rglob("*.*")]
    for share in (0.2, 0.8):
        lab.reset()
        size = sum(pages) * PAGE_BYTES + int(share * largest)
        with mount(lab.folder / "disk", size) as is_mounted:
            if is_mounted:
                shutil.copytree(lab.before, lab.folder / "disk", dirs_exist_ok=True)
                _, said = lab.run(FRESH="1", RESULTS=str(lab.folder / "disk"))
                parts = [*(lab.folder / "disk").rglob("*.part")]
                losses = [f"left: {path.name}" for path in parts] + lab.look(said)
                for path in list_files(lab.before):
                    losses += _compare(path, lab.folder / "disk" / path.relative_to(lab.before))
                yield losses + _find_silence(said, "No space left")
    yield from _fill_disk_of_site(lab)


def _fill_disk_of_site(lab: Lab) -> Iterator[Losses]:
    lab.reset()
    with mount(lab.folder / "disk", SMALL_DISK_BYTES) as is_mounted:
        if is_mounted:
            tree, site = _copy_project(lab), lab.folder / "disk" / "site"
            (lab.folder / "disk" / "filling").write_bytes(bytes(SMALL_DISK_BYTES - (2 << 20)))
            _, said = lab.run(*_BUILD, cwd=tree, SITE=str(site), MEASURE="0")
            parts = ["a part of a site is left"] if site.exists() else []
            yield lab.look(said) + parts + _find_silence(said, "cannot be written")


def _find_silence(said: str, *possible: str) -> Losses:
    """Tell if nothing of what is possible was said."""
    if any(told in said for told in possible):
        return []
    return [f"nothing says {' or '.join(possible)!r}, but {said.strip()[-300:]!r}"]


def forbid_writing(lab: Lab) -> Iterator[Losses]:
    """Let no record be written: the folder is a file, or read-only."""
    lab.reset()
    obstacle = lab.folder / "obstacle"
    obstacle.touch()
    _, said = lab.run(RESULTS=str(obstacle))
    yield lab.look(said) + _find_silence(said, "Not a directory")
    with mount(lab.folder / "disk", SMALL_DISK_BYTES) as is_mounted:
        if is_mounted:
            shutil.copytree(lab.before, lab.folder / "disk", dirs_exist_ok=True)
            command = ("mount", "-o", "remount,ro", str(lab.folder / "disk"))
            subprocess.run(command, check=True)
            _, said = lab.run(RESULTS=str(lab.folder / "disk"), FRESH="1")
            yield lab.look(said) + _find_silence(said, "nothing can be kept")


def set_limits(lab: Lab) -> Iterator[Losses]:
    """Give a build few files, little memory, little CPU time."""
    for limit in (
        (resource.RLIMIT_NOFILE, 16),
        (resource.RLIMIT_NOFILE, 40),
        (resource.RLIMIT_AS, 400 << 20),
        (resource.RLIMIT_CPU, 3),
    ):
        lab.reset()
        _, said = lab.run(FRESH="1", limit=limit)
        yield lab.look(said) + lab.go_on()


def set_clocks(lab: Lab) -> Iterator[Losses]:
    """Set the clock years back, then ahead of the next build by a year."""
    lab.reset()
    _, said = lab.run("-c", CLOCK.format(days=-2000))
    yield lab.look(said) + _find_silence(said, "set it first")
    lab.reset()
    lab.run("-c", CLOCK.format(days=400), FRESH="1")
    status, said = lab.run()
    losses = _find_silence(said, "which cannot be")
    if status or not [*lab.results.rglob("*.damaged-*")]:
        losses.append("records of the future are not set aside")
    yield losses


def build_twice(lab: Lab) -> Iterator[Losses]:
    """Let two builds measure at once."""
    lab.reset()
    builds = [lab.start(ONLY=only, FRESH="1") for only in ("json/0[12]*", "json/03*")]
    statuses = [build.wait(MOST_S) for build in builds]
    said = lab.read_said()
    losses = lab.look(said) + _find_silence(said, "another build is at work here")
    yield losses + [f"a build has ended with {status}" for status in statuses if status]


def damage(lab: Lab) -> Iterator[Losses]:
    """Cut files off, flip single bits, and put other values in the place of those that are there."""
    (path,) = list_files(lab.before)
    data = path.read_bytes()
    for _ in range(TRUNCATIONS):
        yield _open_damaged(lab, data[: lab.chance.randrange(len(data))])
    for _ in range(FLIPS):
        place = lab.chance.randrange(len(data))
        flipped = data[place] ^ (1 << lab.chance.randrange(8))
        yield _open_damaged(lab, data[:place] + bytes([flipped]) + data[place + 1 :])
    for text in _reshape(json.loads(data), SHAPES):
        yield _open_damaged(lab, text)


def _reshape(file: dict[str, Any], values: Sequence[object]) -> Iterator[bytes]:
    """The file with other values in the place of one value at a time."""
    places: list[tuple[dict[str, Any], str]] = [(file, name) for name in file]
    for part in (file["machine"], file["interpreter"], file["rows"][0]):
        places += [(part, name) for name in part]
    for number, (part, name) in enumerate(places):
        kept = part[name]
        for value in (
            values if len(values) == 1 else (values[number % len(values)], values[-number % 3])
        ):
            part[name] = value
            yield json.dumps(file).encode()
        part[name] = kept


def _open_damaged(lab: Lab, data: bytes) -> Losses:
    """Open a store of damaged records: they are set aside with a sentence, or they are valid."""
    (before,) = list_files(lab.before)
    known = read_results(before)
    assert known
    lab.reset()
    path = lab.results / before.relative_to(lab.before)
    path.write_bytes(data)
    told: list[str] = []
    try:
        store = Store(lab.results, known.machine, [known.interpreter], told.append)
        for record in known.records:
            store.put(record)
        store.save()
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        return [f"{type(error).__name__}: {error}"]
    aside = [other.read_bytes() for other in lab.results.rglob("*.damaged-*")]
    losses = [] if aside == [data] * len(told) else ["a damaged file is not kept"]
    return losses + _compare(before, path)


def forge_records(lab: Lab) -> Iterator[Losses]:
    """Put markup into every text of a contributed file, and of a machine that pages show."""
    (before,) = list_files(lab.before)
    lab.reset()
    sent = lab.folder / "sent"
    for number, text in enumerate(_reshape(read_undigested(before), (HOSTILE,))):
        path = sent / str(number) / before.relative_to(lab.before)
        path.parent.mkdir(parents=True)
        path.write_bytes(text)
    status, said = lab.run("-m", "scripts.site", "merge", str(sent))
    losses = lab.look(said)
    if status not in (0, 1):
        losses.append(f"merging has ended with {status}: {said.strip()[-300:]}")
    for path in lab.results.glob("contributed/*/*.json"):
        losses += _compare(path, path)
    for _ in sent.iterdir():  # each would have ended the merging of all
        yield losses
    lab.reset()
    forge(lab.results)
    tree, site = _copy_project(lab), lab.folder / "site"
    status, said = lab.run(*_BUILD, cwd=tree, SITE=str(site), MEASURE="0")
    losses = [f"building has ended with {status}: {said.strip()[-500:]}"] if status else []
    pages = [*site.rglob("*.html")]
    for page in pages:
        html = page.read_text(encoding="utf-8")
        marks = ("<script>window.hostile", "<img src=x", "wx-hostile\"'></title>")
        losses += [f"{page.name} holds {mark}" for mark in marks if mark in html]
    if not any("window.hostile" in page.read_text(encoding="utf-8") for page in pages):
        losses.append("no page shows what was forged")
    yield lab.look(said) + losses


_BUILD = ("-m", "scripts.site", "site")


def _copy_project(lab: Lab) -> Path:
    """A copy of the project with few pages."""
    tree = lab.folder / "tree"
    if not tree.exists():
        configs = (path.name for path in ROOT.glob("mkdocs*.yml"))
        copy_repository(tree, "docs", "examples", "requirements", "scripts", "LICENSE", *configs)
        leave_pages(tree, "index.md", "machines.md", "json.md")
        for home in tree.glob("docs/*/index.md"):  # which shows a number of each page
            home.write_text("# Home {#top}\n", encoding="utf-8")
    return tree


FAULTS: Mapping[Kind, Callable[[Lab], Iterator[Losses]]] = {
    "killed": kill,
    "group-killed": kill_group,
    "signalled": send_signals,
    "full-disk": fill_disk,
    "read-only": forbid_writing,
    "limits": set_limits,
    "clock": set_clocks,
    "two-builds": build_twice,
    "damaged": damage,
    "hostile": forge_records,
}


def run_campaign(lab: Lab, faults: Mapping[Kind, Callable[[Lab], Iterator[Losses]]]) -> Campaign:
    """Try all faults and print a line for each kind; what one has cost is printed at once."""
    tallies = []
    print(f"{'':14}{'tried':>7}{'held':>7}{'lost':>7}")
    for kind, tries in faults.items():
        outcomes = []
        for losses in tries(lab):
            outcomes.append(losses)
            for loss in losses:
                print(f"  {kind}: {loss}", file=sys.stderr)
        tried, lost = len(outcomes), sum(map(bool, outcomes))
        tallies.append(Tally(kind=kind, tried=tried, lost=lost))
        print(f"{kind:14}{tried:7}{tried - lost:7}{lost:7}", flush=True)
    return Campaign(ran_at=datetime.now(UTC).replace(microsecond=0), tallies=tuple(tallies))


def run_faults(names: Sequence[str]) -> int:
    """Run the campaign, or the kinds named of it; the exit status says if anything was lost.

    A whole campaign is kept, and the page Method shows it.
    """
    chosen = {kind: tries for kind, tries in FAULTS.items() if kind in names or not names}
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        lab = Lab(Path(folder))
        lab.prepare()
        campaign = run_campaign(lab, chosen)
    if not names:
        replace_file(PATH, msgspec.json.encode(campaign) + b"\n")
    return int(any(tally.lost for tally in campaign.tallies))


if __name__ == "__main__":
    sys.exit(run_faults(sys.argv[1:]))
