"""Check a program in a process with a time limit, whatever the program does."""

import importlib
import json
import multiprocessing
import os
import subprocess
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill, indent

from checks.failures import describe_threads, take_over
from checks.remarks import KINDS, Remark, must, say
from checks.trace import format_trace

FOLDER = Path(__file__).parent.parent
LIMIT_S = 30
COMMAND = "from checks.probe import write_remarks; write_remarks()"


def list_programs():
    """Return the paths of all programs to fix, in order."""
    return sorted(FOLDER.glob("[0-9]*.py"))


def check_program(path, trace_file=None):
    """Print what the check says of a program; return whether the program is right."""
    remarks = probe(path.stem)
    faults = [remark for remark in remarks if remark.kind == "must"]
    verdict = say(en="not yet", ru="пока нет") if faults else say(en="right", ru="верно")
    print(f"{path.name}: {verdict}")
    for remark in faults or remarks:
        print(wrap(f"{say(**KINDS[remark.kind])}: {remark.text}"))
        if remark.trace:
            print(indent(format_trace(remark.trace), "  "))
            if trace_file:
                text = json.dumps(remark.trace, ensure_ascii=False, indent=1)
                trace_file.write_text(text, encoding="utf-8")
    if faults:
        print("  " + say(en="Stuck? Add --hint.", ru="Не выходит? Добавьте --hint."))
    else:
        print("  " + say(en="Compare it with ours: add --solution.",
                         ru="Сравните с нашим решением: добавьте --solution."))  # fmt: skip
    return not faults


def wrap(text):
    """Return a text in lines that most terminals show whole, and break no word."""
    return fill(text, 80, initial_indent="  ", subsequent_indent="    ",
                break_long_words=False, break_on_hyphens=False)  # fmt: skip


def probe(name, folder=FOLDER):
    """Return the remarks on a program of a folder, made in a fresh process."""
    with TemporaryDirectory() as place:
        written = Path(place, "remarks.json")
        command = [sys.executable, "-X", "utf8", "-c", COMMAND, name, str(folder), str(written)]
        try:
            done = subprocess.run(
                command, cwd=FOLDER, capture_output=True, text=True, encoding="utf-8",
                errors="replace", timeout=LIMIT_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return [must(en=f"it has not ended within {LIMIT_S} seconds",
                         ru=f"программа не закончилась за {LIMIT_S} секунд")]  # fmt: skip
        if written.exists():
            return [Remark(**item) for item in json.loads(written.read_text(encoding="utf-8"))]
        last = done.stderr.strip().rpartition("\n")[2] or done.stdout.strip().rpartition("\n")[2]
        return [must(en=f"the program ended the check: {last or done.returncode}",
                     ru=f"программа прервала проверку: {last or done.returncode}")]  # fmt: skip


def write_remarks():
    """Check the program that the command names, and write the remarks into a file."""
    name, folder, written = sys.argv[1:]
    sys.path.insert(0, folder)
    take_over(Path(folder, f"{name}.py"))
    check = importlib.import_module(f"checks.{name}")  # first: it may take over clocks and locks
    remarks = []
    try:
        program = importlib.import_module(name)
        remarks.extend(check.check(program))
    except Exception as error:  # noqa: BLE001 - whatever a program to fix may raise
        remarks.append(explain(error, Path(folder, f"{name}.py")))
    remarks = [add_cause(remark) for remark in remarks]
    text = json.dumps([remark.to_dict() for remark in remarks])
    Path(written).write_text(text, encoding="utf-8")
    sys.stdout.flush()
    for child in multiprocessing.active_children():  # they would keep our pipes open
        child.kill()
    os._exit(0)  # whatever the program has left running


def add_cause(remark):
    """Put what ended threads of the program before what is not right."""
    cause = describe_threads()
    if remark.kind != "must" or not cause:
        return remark
    text = remark.text
    if text.partition(" ")[0].isalpha():  # not a name of the program
        text = text[0].upper() + text[1:]
    return replace(remark, text=f"{cause}. {text}")


def explain(error, path):
    """Return a remark on an error: what it is, and the last line of the program that it passed."""
    steps = traceback.extract_tb(error.__traceback__)
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
        steps += traceback.extract_tb(error.__traceback__)
    error.__notes__ = []  # which would come last: of what could not be pickled Python 3.14 adds some
    message = traceback.format_exception_only(error)[-1].strip()
    lines = [step.lineno for step in steps if Path(step.filename) == path]
    line = lines[-1] if lines else getattr(error, "lineno", None)
    if isinstance(error, AttributeError) and not lines:
        return must(en=f"keep the names of functions and classes: {message}",
                    ru=f"имена функций и классов должны остаться прежними: {message}")  # fmt: skip
    if line:
        return must(en=f"line {line}: {message}", ru=f"строка {line}: {message}")
    return must(en=message, ru=message)
