"""Whoever follows a page meets what it says: every command block runs as printed, in both languages.

Of an archive, whose programs are tested with their experiment, one program is run; that the others are
in it is looked up. Where an answer is said to be at least three times as fast as its plain version, it is
twice as fast here. Pages are followed several at once; where a gain does not show then, again and alone.
"""

import platform
import re
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from zipfile import ZipFile

import pytest
from markdown import Markdown  # type: ignore[import-untyped]

from poolwise.experiment import Experiment
from poolwise.machine import usable_cores
from scripts.site.declare.claims import list_compared
from scripts.site.paths import ROOT
from scripts.site.study.snippets import NOT_KNOWN
from tests.browser import blocks
from tests.browser.blocks import (
    REASONS,
    BadBlock,
    Block,
    Command,
    Done,
    Page,
    Place,
    find_page,
    has_printed,
    make_wheels,
    prints_as_said,
)
from tests.browser.pages import LANGUAGES, Site
from tests.copies import copy_repository
from tests.declared import CLAIMS, EXPERIMENTS

MOST_MARKED = 12
AT_ONCE = 4
READMES = ("README.md", "README.ru.md", "scripts/poolwise/README.md")
OWN_PACKAGES = ("flit_core", "msgspec", "packaging", "psutil")
PIN = re.compile(r"^([\w.-]+)==", re.MULTILINE)
# Servers listen where their pages say, so one is up at a time.
SERVER_TURN = Lock()
TIMES = ("wall_s", "wall_per_task_s")
LARGE_GAIN, HELD_GAIN = 3.0, 2.0
# How often a page is followed again and alone until its gain shows.
TRIES = 2


@dataclass(slots=True)
class Followed:
    """What came of a page."""

    faults: list[str] = field(default_factory=list)
    done: list[Done] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Gain:
    """A program and its plain version, as commands of a page; each does so many tasks."""

    fast: str
    slow: str
    fast_tasks: int
    slow_tasks: int

    def is_in(self, done: Sequence[Done]) -> bool:
        """Tell whether both were run."""
        return {self.fast, self.slow} <= {ended.command.text for ended in done}

    def measure(self, done: Sequence[Done]) -> float:
        """How many times as long the plain one has taken for each task."""
        walls_s = {ended.command.text: ended.wall_s for ended in done}
        return walls_s[self.slow] / self.slow_tasks * self.fast_tasks / walls_s[self.fast]


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let Ctrl-C reach what is started, also where it does not reach the tests."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """The folder of wheels that programs and the tool may ask for."""
    pins = PIN.findall((ROOT / "requirements/examples.txt").read_text(encoding="utf-8"))
    make_wheels(tmp_path, [*dict.fromkeys(pins), *OWN_PACKAGES])
    return tmp_path


CONSOLE = '<div class="language-console highlight"><pre><code>{}</code></pre></div>'
SERVED = (
    '<div class="commands" data-terminal="1"><div class="highlight"><pre>{}\n</pre></div></div>'
    '<div class="commands" data-terminal="2"><div class="highlight"><pre>{}\n</pre></div></div>'
)
LISTEN = "import socket; server = socket.create_server(('127.0.0.1', 0)); server.accept()"
CODE = '<div class="language-{} highlight"><pre><code>python a.py\npython b.py\n</code></pre></div>'
OFFERS = (
    '<a href="../../examples/json.zip" download>all</a><a href="chart.svg" download>chart</a>'
    '<a href="../../examples/answers/01-a.py" download="a.py">this</a>'
    '<div class="language-python highlight"><span class="filename">work.py</span>'
    "<pre><span></span><code>pass\n</code></pre></div>"
)


def test_blocks_are_found_with_their_commands_what_each_prints_and_what_the_page_offers() -> None:
    shown = '<span class="gp">$ </span>python a.py <span># once</span>\n5 &lt; 6\n$ ls \\\n> -l\n'
    html = f"<p><code>$ inline</code></p>{CONSOLE.format(shown)}"
    html += CODE.format("bash") + CODE.format("python") + SERVED.format("python server.py", "ls")
    marked = f"<!-- not run: long -->\n\n{CONSOLE.format('$ make site')}{OFFERS}"
    page = find_page(html + marked)
    console, lines, *rest = page.blocks
    assert console.commands == (Command("python a.py # once", "5 < 6\n"), Command("ls \\\n-l"))
    assert console.commands[0].words == ("python", "a.py")
    assert [command.text for command in lines.commands] == ["python a.py", "python b.py"]
    assert [block.reason for block in rest] == ["", "", "long"]
    sessions = [[block.terminal for block in session] for session in page.sessions]
    assert sessions == [[1], [1], [1, 2], [1]]
    examples = "../../examples/"
    assert page.downloads == {
        "json.zip": f"{examples}json.zip",
        "a.py": f"{examples}answers/01-a.py",
    }
    assert page.files == {"work.py": "pass\n"}


@pytest.mark.parametrize(
    "html",
    [
        "<!-- not run: lazy -->" + CONSOLE.format("$ ls"),
        "<!-- not run: long --><!-- not run: long -->" + CONSOLE.format("$ ls"),
        CONSOLE.format("$ ls") + "<!-- not run: long -->",
        CONSOLE.format("$ echo 'unclosed"),
        CONSOLE.format("$ make site MACHINE=&lt;id&gt;"),
        CONSOLE.format("$ python …"),
        CONSOLE.format("printed by nothing\n$ ls"),
        CONSOLE.format("$ # a comment"),
        CONSOLE.format("\n"),
        SERVED.format("python server.py", "ls").partition("</div></div>")[2],
    ],
)
def test_what_nobody_can_follow_is_refused(html: str) -> None:
    with pytest.raises(BadBlock):
        find_page(html)


TICKS = "5 of 5 ticks\ntime 1.021692 s\n"
RATIO = "в 26 раз быстрее (в 21–32 раза)\na loop  0.8266  25.8 (20.7–32)  0.099  17\n"


@pytest.mark.parametrize(
    ("printed", "said", "is_said"),
    [
        ("5 of 5 ticks\ntime 2.5 s\n", TICKS, True),
        ("4 of 5 ticks\ntime 2.5 s\n", TICKS, False),
        ("5 of 5 ticks\n", TICKS, False),
        ("5 of 5 ticks\ntime 2.5 s\nmore\n", TICKS, False),
        ("в 2,3 раза быстрее (в 2,1–2,5 раза)\na loop  1.2  2 (1.5–3)  1  17.6\n", RATIO, True),
        (RATIO.replace("быстрее", "медленнее"), RATIO, False),
        ("a\nb\nc\nd\n", "a\n…\nd\n", True),
        ("a\nb\nc\n", "a\n…\nd\n", False),
    ],
)
def test_what_is_printed_is_what_the_page_says_measured_numbers_apart(
    printed: str, said: str, is_said: bool
) -> None:
    assert prints_as_said(printed, said) == is_said


def follow(html: str, wheels: Path, *packages: str) -> list[Done]:
    make_wheels(wheels, packages)
    done: list[Done] = []
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder), wheels)
        for session in find_page(html).sessions:
            done += place.follow(session)
    return done


def test_a_block_is_run_by_a_python_that_has_what_it_installs_and_nothing_else(
    tmp_path: Path,
) -> None:
    typed = ["-c 'import packaging'", "-m pip install packaging", "-c 'import packaging; print(1)'"]
    lines = [f"$ python {command}" for command in typed]
    done = follow(CONSOLE.format("\n".join([*lines, "$ ls"])), tmp_path, "packaging")
    assert [command.status for command in done] == [1, 0, 0, 0]
    assert [command.printed for command in done[2:]] == ["1\n", ""]


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("server", "complaint"),
    [
        ("python -m http.server 0", ""),
        ("python -c 'print(1)'", "does not listen"),
        (f'python -c "{LISTEN}"', "does not end quietly"),
    ],
)
def test_a_server_runs_until_those_that_ask_it_have_ended_and_has_nothing_to_complain_of(
    server: str, complaint: str, tmp_path: Path
) -> None:
    html = SERVED.format(server, "echo asked")
    if complaint:
        with pytest.raises(BadBlock, match=complaint):
            follow(html, tmp_path)
    else:
        (done,) = follow(html, tmp_path)
        assert done.printed == "asked\n"


def test_a_command_that_does_not_end_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "LONGEST_S", 0.5)
    with pytest.raises(BadBlock, match="sleep 60"):
        follow(CONSOLE.format("$ echo 1\n$ sleep 60"), tmp_path)


def list_readmes() -> Iterator[tuple[str, str]]:
    """Each README as HTML, with the classes that the site's pages have."""
    options = {"pymdownx.highlight": {"pygments_lang_class": True}}
    extensions = ["pymdownx.superfences", "pymdownx.highlight"]
    for name in READMES:
        text = (ROOT / name).read_text(encoding="utf-8")
        yield name, Markdown(extensions=extensions, extension_configs=options).convert(text)


def list_pages(site: Site) -> Iterator[tuple[str, str]]:
    yield from list_readmes()
    for language in LANGUAGES:
        for page in site.list_pages(language):
            yield f"{language}/{page}", site.read(f"{language}/{page}")


def choose_example(experiment: Experiment) -> str:
    """The program of an archive that is run: not the one that waits for each task where there is another."""
    cores, minor = len(usable_cores()), sys.version_info[:2]
    able = [
        program
        for program in experiment.programs
        if program.ends == "well"
        and not program.find_obstacle(platform.system(), "on", cores, minor)
    ]
    quick = [program for program in able if program.kind != "sequential"]
    return f"examples/{experiment.name}/{(quick or able)[0].file}"


CHOSEN = {*map(choose_example, EXPERIMENTS)}
CHECKER = ("python", "examples/lessons/check.py")
PROGRAM = re.compile(r"examples/[\w-]+/.+\.py$")
INSTALL = ("python", "-m", "pip", "install")


def is_chosen(session: Sequence[Block]) -> bool:
    """Tell whether one of the programs that are run of archives is in these blocks."""
    typed = [command.words for block in session for command in block.commands]
    return any(CHOSEN.intersection(words) or words[: len(CHECKER)] == CHECKER for words in typed)


def has_reason(session: Sequence[Block]) -> bool:
    """Tell whether any of these blocks is not to be run."""
    return any(block.reason for block in session)


def installs(session: Sequence[Block]) -> bool:
    """Tell whether all that these blocks do is to install packages."""
    typed = [command.words for block in session for command in block.commands]
    return all(words[: len(INSTALL)] == INSTALL for words in typed)


def choose_sessions(page: Page) -> list[list[Block]]:
    """The blocks to run: of programs of an archive only the chosen, with what they need installed."""
    sessions = [session for session in page.sessions if not has_reason(session)]
    if not page.has_archive:
        return sessions
    is_needed = any(map(is_chosen, sessions))
    chosen = []
    for session in sessions:
        paths = [path for block in session for path in block.examples]
        is_free = not any(map(PROGRAM.match, paths))
        if is_chosen(session) or (is_free and (is_needed or not installs(session))):
            chosen.append(session)
    return chosen


def plan(pages: Mapping[str, Page]) -> dict[str, list[list[Block]]]:
    """The blocks to run on each page: what is equal on several, once, on that with the fewest blocks.

    On a page that offers programs no block depends on another, but for what they install.
    """
    plans: dict[str, list[list[Block]]] = {}
    known: set[tuple[object, ...]] = set()
    for name, page in sorted(pages.items(), key=lambda entry: len(entry[1].blocks)):
        chosen, new = choose_sessions(page), []
        for session in chosen:
            key = tuple(block.key for block in session)
            if key not in known:
                new.append(session)
                known.add(key)
        if new and page.downloads:
            plans[name] = [session for session in chosen if session in new or installs(session)]
        elif new:
            plans[name] = chosen
    return plans


def fill_place(page: Page, place: Place, site: Site, *, in_repository: bool) -> None:
    """Save what a page offers, as a reader does before following it."""
    if in_repository:
        place.work.rmdir()
        copy_repository(place.work, "examples", "scripts", "requirements")
    for name, address in page.downloads.items():
        file = site.folder / "examples" / address.rpartition("/examples/")[2]
        if file.suffix == ".zip":
            with ZipFile(file) as archive:
                archive.extractall(place.work)
        else:
            shutil.copy(file, place.work / name)
    for name, text in page.files.items():
        (place.work / name).write_text(text, encoding="utf-8")


def follow_page(
    name: str, page: Page, sessions: Sequence[Sequence[Block]], site: Site, wheels: Path
) -> Followed:
    """Run blocks of a page in its folder, and hold what they print against what the page says."""
    followed = Followed()
    read = [block for block in page.blocks if not block.reason]
    words = {word for block in read for command in block.commands for word in command.words}
    in_repository = name.endswith(".md") or "poolwise" in words
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder), wheels)
        fill_place(page, place, site, in_repository=in_repository)
        for path in sorted({path for block in read for path in block.examples}):
            if not (place.work / path).exists():
                followed.faults.append(f"{path} is in no download of the page")
        for session in sessions if not followed.faults else ():
            # The load server takes any port; the servers of answers listen where their pages say.
            turn = SERVER_TURN if session[1:] and not session[0].examples else nullcontext()
            try:
                with turn:
                    for done in place.follow(session):
                        followed.done.append(done)
                        followed.faults += find_faults(done)
            except BadBlock as error:
                followed.faults.append(str(error))
    if followed.done and not page.has_archive:
        for text in page.outputs:
            if not has_printed(followed.done, text):
                followed.faults.append(f"nothing has printed {text!r}")
    return followed


def find_faults(done: Done) -> Iterator[str]:
    """Find what a command does otherwise than its page says."""
    name, said = done.command.text, done.command.printed
    is_check = done.command.words[: len(CHECKER)] == CHECKER and "--" not in name
    if said and not prints_as_said(done.printed, said):
        yield f"{name!r} prints\n{done.printed[-1500:]}\ninstead of\n{said}"
    elif is_check:  # of a program as it is given
        if done.status != 1:
            yield f"{name!r} ends with {done.status} instead of 1: {done.printed[-500:]}"
    elif done.status and not said and (done.status != NOT_KNOWN or "poolwise" not in name):
        yield f"{name!r} ends with {done.status}: {done.printed[-500:]}"


def list_large_gains() -> Iterator[Gain]:
    """The programs of answers that are said to be several times as fast as their plain version."""
    (experiment,) = (experiment for experiment in EXPERIMENTS if experiment.name == "answers")
    for claim in CLAIMS[experiment.name]:
        comparison = claim.all[0]
        sides = list_compared(comparison)
        is_less = comparison.relation == "less" and comparison.metric in TIMES
        if is_less and comparison.margin >= LARGE_GAIN and len(sides) == 2:
            fast, slow = (experiment.program(side.program) for side in sides)
            typed = [f"python {side.file.partition('-')[2]}" for side in (fast, slow)]
            tasks = (fast.tasks, slow.tasks) if comparison.metric == "wall_per_task_s" else (1, 1)
            yield Gain(typed[0], typed[1], *tasks)


@pytest.mark.skipif(platform.system() != "Linux", reason="pages have commands for Linux alone")
@pytest.mark.usefixtures("interruptible")
def test_every_command_block_ends_and_prints_as_its_page_says(site: Site, wheels: Path) -> None:
    pages: dict[str, Page] = {}
    faults: dict[str, list[str]] = {}
    for name, html in list_pages(site):
        try:
            pages[name] = find_page(html)
        except BadBlock as error:
            faults[name] = [str(error)]
    blocks = {block.key: block for page in pages.values() for block in page.blocks}
    reasons = Counter(block.reason for block in blocks.values() if block.reason)
    for reason, count in reasons.items():
        print(f"{count} of {len(blocks)} command blocks are not run: each {REASONS[reason]}")
    assert reasons.total() <= MOST_MARKED

    plans = plan(pages)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        futures = {
            name: pool.submit(follow_page, name, pages[name], sessions, site, wheels)
            for name, sessions in plans.items()
        }
    followed = {name: future.result() for name, future in futures.items()}
    for name, session in followed.items():
        if session.faults:  # what advises by measured times may say something else beside others
            followed[name] = follow_page(name, pages[name], plans[name], site, wheels)
    for gain in list_large_gains():
        names = [name for name, page in followed.items() if gain.is_in(page.done)]
        name = (*names, "")[0]
        if not name:  # also where a fault, told below, has kept it from being run
            faults[gain.fast] = ["is run next to its plain version on no page"]
            continue
        for _ in range(TRIES):
            if not followed[name].faults and gain.measure(followed[name].done) < HELD_GAIN:
                followed[name] = follow_page(name, pages[name], plans[name], site, wheels)
        if not followed[name].faults and gain.measure(followed[name].done) < HELD_GAIN:
            faults[name] = [f"{gain.fast!r} is hardly faster than {gain.slow!r}"]
    faults |= {name: page.faults for name, page in followed.items() if page.faults}
    assert faults == {}
