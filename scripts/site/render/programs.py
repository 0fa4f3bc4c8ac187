"""Programs: shown whole, to copy, download and run by hand; what they print; archives of them."""

import io
import platform
import re
import zipfile
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import indent
from typing import Any

from markupsafe import Markup, escape
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexer import Lexer  # type: ignore[import-untyped]
from pygments.lexers import BashLexer, PythonLexer  # type: ignore[import-untyped]

from poolwise.declaration import Reason, read_text
from poolwise.dependencies import find_all_packages, find_packages
from poolwise.experiment import Experiment, name_unknown
from scripts.site.declare.lessons import LESSONS, read_help
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.rows import select_family
from scripts.site.paths import ROOT
from scripts.site.render.estimates import format_value
from scripts.site.render.html import (
    code,
    drop_tags,
    fold_away,
    mark_code,
    prose,
    render,
    strong,
    table,
)
from scripts.site.render.names import link_title, name_experiment, name_family, title_program
from scripts.site.render.words import Words, capitalise
from scripts.site.study.snippets import Printed


class _Lines(HtmlFormatter):  # type: ignore[misc]
    """Code whose lines are elements: on a phone what is left of one goes on below its own indentation."""

    def wrap(self, source: Iterable[tuple[int, str]]) -> Any:  # noqa: ANN401 - as of Pygments
        lines: list[str] = []
        for _, text in source:
            if lines and not drop_tags(text).strip():
                lines[-1] += text  # for a page of many programs has hundreds of empty lines
            else:
                lines.append(text)
        return super().wrap(map(_mark_line, lines))


def _mark_line(text: str) -> tuple[int, str]:
    plain = drop_tags(text)
    depth = len(plain) - len(plain.lstrip(" "))
    return 1, f'<span class="line line-{depth}">{text}</span>'


_FORMATTER = _Lines(cssclass="highlight", wrapcode=True)
MOST_OPEN_LINES = 45  # as long as programs may be; what is longer is folded
_ENTRY_TIME = (1980, 1, 1, 0, 0, 0)
"""The first time that an archive can tell; the same for all, so that a build repeats its bytes."""
_MODE = 0o644 << 16
_COLUMNS = re.compile(r"\S {3,}\S")
_PLAIN = re.compile(r'<span class="(?:n|o|p|w)">([^<]*)</span>')
"""Names and operators, which are half of a program's elements and hardly of another colour."""


def show_program(experiment: Experiment, words: Words, file: str, folder: str) -> Markup:
    """A program with how to run it and its experiment's archive; a shared file folded, with itself alone.

    ``folder`` is the way to the programs that the site offers.
    """
    path = f"examples/{experiment.name}/{file}"
    if file in experiment.shared:
        places = {"path": path, "download": f"{folder}/{experiment.name}/{file}"}
        return _show_code("shared.html", experiment.folder / file, [], words, **places)
    name = capitalise(title_program(experiment, file.removesuffix(".py"), words))
    places = {"name": name, "path": path, "download": f"{folder}/{experiment.name}.zip"}
    places["by_hand"] = words.text("run_by_hand")
    terminals = _list_terminals(experiment, file, f"python {path}")
    return _show_code("program.html", experiment.folder / file, terminals, words, **places)


def show_packages(experiment: Experiment, words: Words) -> Markup:
    """Show how to install what the programs of an experiment import, and its server."""
    packages = " ".join(sorted(find_all_packages(experiment)))
    commands = _highlight(f"python -m pip install {packages}\n", BashLexer())
    shown = render("commands.html", words=words, blocks=[commands])
    return Markup("<p>{}</p>{}").format(words.text("code_packages"), shown)


def show_lesson(words: Words, name: str, download: str) -> Markup:
    """A program to fix, with the archive of all lessons, how to check it, two hints and our solution."""
    file, stuck = LESSONS / f"{name}.py", read_help(name)
    check = f"python examples/lessons/check.py {int(name[:2])} {words.language}".removesuffix(" en")
    places = {"path": file.relative_to(ROOT).as_posix(), "download": download}
    places["by_hand"] = words.text("lesson_check")
    content = _show_code("program.html", file, [check], words, name="", **places)
    paragraph = Markup("<p>{}</p>")
    for title, hint in zip(("lesson_hint", "lesson_more"), stuck.hints, strict=True):
        text = paragraph.format(mark_code(words.choose(hint)))
        content += fold_away(words.text(title), text, kind="hint")
    compared = paragraph.format(mark_code(words.choose(stuck.compared)))
    solution = _highlight(read_text(LESSONS / "solutions" / file.name), PythonLexer()) + compared
    return content + fold_away(words.text("lesson_solution"), solution, kind="hint")


def show_source(source: str) -> Markup:
    """Code alone: what it prints is for readers to predict."""
    return _highlight(source, PythonLexer())


def show_recipe(
    experiment: Experiment, words: Words, file: str, download: str, server: str
) -> Markup:
    """A program that stands alone, under its short name, below what it takes to run it.

    ``download`` is where its file is, ``server`` where that of its load server is, if it asks one.
    """
    name = file.partition("-")[2]  # ``fetch_urls.py`` of ``01-fetch_urls.py``
    packages = find_packages(experiment, file.removesuffix(".py"), platform.python_version())
    lines = [f"python -m pip install {package}" for package in packages]
    lines.append(f"python {name}")
    terminals = _list_terminals(experiment, file, "\n".join(lines))
    places = {"name": name, "download": download, "server": server if terminals[1:] else ""}
    return _show_code("recipe.html", experiment.folder / file, terminals, words, **places)


def _show_code(
    template: str, file: Path, terminals: Sequence[str], words: Words, **places: str
) -> Markup:
    """Show a program, and what to type to run it: a block of commands for each terminal that it takes."""
    source = read_text(file)
    blocks = [_highlight(commands, BashLexer()) for commands in terminals]
    return render(
        template,
        words=words,
        file=file.name,
        is_folded=source.count("\n") > MOST_OPEN_LINES,
        code=_highlight(source, PythonLexer()),
        commands=render("commands.html", words=words, blocks=blocks),
        **places,
    )


def show_snippet(
    source: str, words: Words, printed: Printed | Reason, here: Container[str], title: str = ""
) -> Markup:
    """A short program, folded under a title, and what it printed, or why not; ``here`` are Pythons."""
    code = _highlight(source, PythonLexer()) if source else ""
    if title:
        code = fold_away(title, code)
    if isinstance(printed, Reason):
        reason = words.text("snippet_not_run", reason=words.reason(printed))
        return render("snippet.html", code=code, caption=reason, printed="")
    date, python = words.date(printed.ran_at), printed.python
    if python not in here:
        python = words.text("snippet_kept", python=python)
    key = "snippet_printed" if printed.text else "snippet_silent"
    caption = words.text(key, python=python, date=date)
    return render("snippet.html", code=code, caption=caption, printed=_keep_columns(printed.text))


def _keep_columns(printed: str) -> Markup:
    """Keep lines with columns whole; all others are broken where a screen ends."""
    kept = Markup('<span class="columns">{}</span>')
    lines = printed.split("\n")
    marked = (kept.format(line) if _COLUMNS.search(line) else escape(line) for line in lines)
    return Markup("\n").join(marked)


def _list_terminals(experiment: Experiment, file: str, commands: str) -> list[str]:
    """What to type in each terminal to run a program by ``commands``; its load server blocks the first."""
    program = experiment.program(file.removesuffix(".py"))
    if experiment.server_path is None or all(
        experiment.family(name).offline for name in program.families
    ):
        return [commands]
    is_common = experiment.server is True
    return ["python examples/server.py" if is_common else f"python {experiment.server}", commands]


def _highlight(source: str, lexer: Lexer) -> Markup:
    highlighted = highlight(source, lexer, _FORMATTER)
    return Markup(_PLAIN.sub(r"\1", highlighted))  # noqa: S704 - Pygments escapes


def show_outputs(evidence: Evidence, words: Words, family: str) -> Markup:
    """Show the time and the prints of each program of a family, a row a size and a start method.

    Of the sizes of a program that which it has by hand, if it was measured.
    """
    rows = []
    cells = select_family(evidence, family)
    by_hand = {program.name: program.tasks for program in evidence.experiment.programs}
    sized = {row.program for row in cells if row.tasks == by_hand[row.program]}
    order = list(cells.by("program"))
    for row in sorted(cells, key=lambda row: (order.index(row.program), row.tasks)):
        record, wall_s = row.record, row.median("wall_s")
        if row.program in sized and row.tasks != by_hand[row.program]:
            continue
        printed = record.printed if record.status == "ok" else words.reason(record.reason)
        name = link_title(evidence, record.program, words, filter(None, [record.start_method]))
        time = None if wall_s is None else format_value(wall_s, "wall_s", words)
        rows.append((name, time, prose(code(printed))))
    head = words.texts("program", "time", "printed")
    return table(words, name_family(evidence, family, words), head, rows, kind="outputs")


def show_output(evidence: Evidence, words: Words, program: str) -> Markup:
    """Show the prints of a program on the most cores, and how it ended, which may be its point."""
    rows = evidence.rows.where(program=program).most("cores")
    record = rows[0].record if rows else None
    if record and record.status == "ok":
        ending = words.term("ends", evidence.experiment.program(program).ends)
        printed = _keep_columns(record.printed)
        return render("output.html", words=words, ending=ending, printed=printed)
    obstacles = (evidence.find_obstacle(program, python.id) for python in evidence.interpreters)
    reason = record.reason if record else next(filter(None, obstacles), None)
    lead = strong(f"{words.term('status', record.status if record else 'unavailable')}.")
    return Markup("<p>{} {}</p>").format(lead, words.reason(reason))


def make_bundle(experiment: Experiment, languages: Sequence[Words]) -> bytes:
    """A ZIP archive, with the repository's paths, of all that an experiment's programs take."""
    return _pack(_list_files(experiment, languages))


def bundle_lessons() -> bytes:
    """A ZIP archive of the programs to fix, and of what checks them and helps."""
    files = (*LESSONS.rglob("*.py"), *LESSONS.rglob("*.toml"))
    paths = [ROOT / "LICENSE", *(path for path in files if path.name != "authors.py")]
    return _pack((path.relative_to(ROOT).as_posix(), path.read_bytes()) for path in paths)


def _pack(files: Iterable[tuple[str, bytes]]) -> bytes:
    """An archive of these files, not compressed: the bytes would be those of one version of zlib."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as bundle:
        for path, content in sorted(files):
            entry = zipfile.ZipInfo(path, _ENTRY_TIME)
            entry.external_attr = _MODE
            bundle.writestr(entry, content)
    return archive.getvalue()


def _list_files(experiment: Experiment, languages: Sequence[Words]) -> Iterator[tuple[str, bytes]]:
    folder = f"examples/{experiment.name}"
    for name in (*experiment.shared, *(program.file for program in experiment.programs)):
        yield f"{folder}/{name}", (experiment.folder / name).read_bytes()
    if server := experiment.server_path:
        path = server.relative_to(experiment.folder.parent)
        yield f"examples/{path.as_posix()}", server.read_bytes()
    yield f"{folder}/LICENSE", (ROOT / "LICENSE").read_bytes()
    pinned = find_all_packages(experiment).values()
    pins = "".join(f"{pin}\n" for versions in pinned for pin in versions)
    if pins:
        yield f"{folder}/requirements.txt", pins.encode()
    first = experiment.programs[0].file  # as which all others are run
    for words in languages:
        commands = f"python {folder}/{first}"
        if pins:
            commands = f"python -m pip install -r {folder}/requirements.txt\n{commands}"
        text = f"# {name_experiment(experiment, words)}\n\n{words.text('bundle_how')}\n"
        terminals = _list_terminals(experiment, first, commands)
        for number, block in enumerate(terminals, start=1):
            if len(terminals) > 1:
                text += f"\n{words.text('terminal', number=str(number))}:\n"
            text += f"\n{indent(block, '    ')}\n"
        yield f"{folder}/README.{words.language}.md", text.encode()


def tell_unknown_program(experiments: Mapping[str, Experiment], name: str) -> str:
    """Say why ``matrix/tasks.py`` names no program or shared file, with or without ``.py``; else empty."""
    folder, _, file = name.partition("/")
    if folder not in experiments:
        return name_unknown("experiment", folder, set(experiments))
    experiment = experiments[folder]
    files = {*(program.file for program in experiment.programs), *experiment.shared}
    if f"{file.removesuffix('.py')}.py" in files:
        return ""
    return name_unknown("program", name, {f"{folder}/{known}" for known in files})
