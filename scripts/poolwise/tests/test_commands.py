"""``compare`` compares programs as they are; its outcome decides the exit status."""

import io
import json
import os
import signal
import subprocess
import sys
import time
import venv
from argparse import Namespace
from pathlib import Path

import psutil
import pytest

from poolwise import commands
from poolwise.__main__ import main
from poolwise.words import Message, Refused, Words

SLOW = "print(sum(range(10**7)))"
PROGRAMS = {
    "slow one.py": SLOW,
    "fast.py": "print(45)",
    "bad.py": "raise SystemExit(3)",
    "asks.py": "print(input('your name? '))",
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C")
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_two_programs_are_compared_as_they_are_and_nothing_is_written_unasked(folder, capsys):
    before = {*folder.iterdir()}
    assert main(["compare", "slow one.py", "fast.py --x", "--rounds", "5"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("fast.py --x is ")
    assert "comparing whole runs." in printed.out.splitlines()[0]
    assert "peak PSS MB" in printed.out
    assert printed.err == ""
    assert {*folder.iterdir()} == before


def test_a_quiet_command_prints_its_first_sentence_in_the_language_that_is_wanted(capsys):
    assert main(["compare", "slow one.py", "fast.py", "--rounds", "5", "-q", "--lang", "ru"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.endswith("если сравнивать запуски целиком.")


def test_what_is_not_known_has_a_status_of_its_own(capsys):
    assert main(["compare", "slow one.py", "fast.py", "--budget", "0.001"]) == 3
    printed = capsys.readouterr()
    assert printed.out.startswith("Not known, because the budget runs out")
    assert printed.err == ""


def test_where_too_few_are_left_each_that_failed_is_named(capsys):
    assert main(["compare", "bad.py", "fast.py", "asks.py"]) == 1
    printed = capsys.readouterr().err
    assert "bad.py ended with status 3. asks.py waits for input" in printed


def test_one_that_fails_ends_no_comparison_of_others(capsys):
    arguments = ["compare", "bad.py", "slow one.py", "fast.py", "--rounds", "5"]
    assert main(arguments) == 0
    assert "Left out: bad.py ended with status 3." in capsys.readouterr().out
    assert main([*arguments, "--quiet"]) == 0
    assert capsys.readouterr().err == "Left out: bad.py ended with status 3.\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sleep 0.05 | cat", "Only a shell understands | in"),
        ("cd /tmp && ls", "Only a shell understands && in"),
        ("N=5 b.py", "Only a shell understands N= in"),
        ("a.py>out.txt", "Only a shell understands > in"),
        ("gone.py", "There's no file gone.py."),
        ("", "A program without a name can't be run."),
        ("'b.py", "'b.py can't be run: No closing quotation."),
        (f"gone.py {'x' * 300}", "There's no file gone.py."),
    ],
)
def test_what_cannot_be_run_is_refused_with_what_to_write(text, sentence, capsys):
    assert main(["compare", "fast.py", text]) == 2
    assert sentence in capsys.readouterr().err


def test_arguments_in_quotes_are_no_shell_language():
    assert commands.split_command_line("sh -c 'sleep 0.05 | cat'") == [
        "sh",
        "-c",
        "sleep 0.05 | cat",
    ]
    assert commands.split_command_line("b.py --n=5 *.txt #1") == ["b.py", "--n=5", "*.txt", "#1"]
    assert commands.split_command_line("slow one.py") == ["slow one.py"]
    with pytest.raises(Refused):
        commands.split_command_line("b.py &")


def test_everything_that_was_measured_can_be_kept(folder):
    options = ["--rounds", "5", "--export-json", "times.json"]
    assert main(["compare", "slow one.py", "fast.py", *options]) == 0
    kept = json.loads((folder / "times.json").read_text(encoding="utf-8"))
    assert (kept["schema"], kept["command"], kept["outcome"]) == (1, "compare", "winner")
    assert kept["winner"] == "fast.py"
    assert kept["command_line"][:3] == ["poolwise", "compare", "slow one.py"]
    assert [len(row["laps"]) for row in kept["rows"]] == [5, 5]
    assert kept["answer"][0].startswith("fast.py ")


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("gone/times.json", "No such file or directory"),
        ("pipe", "there is something else than a file"),
    ],
)
def test_an_answer_that_cannot_be_kept_is_still_given(folder, file, why, capsys):
    os.mkfifo(folder / "pipe")
    arguments = ["compare", "slow one.py", "fast.py", "--rounds", "5", "--export-json", file]
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out.startswith("fast.py ")
    assert f"{file} wasn't written: {why}." in printed.err
    assert (folder / "pipe").is_fifo()


def test_ctrl_c_leaves_nothing_running_and_nothing_behind(folder):
    (folder / "long.py").write_text("import time; time.sleep(91.5)", encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "poolwise", "compare", "long.py", "long.py", "--export-json", "x"],
        stdout=subprocess.PIPE,
        text=True,
        # Whoever was begun in the background has it ignored, and so have all that it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        cwd=folder,
    ) as process:
        until_s = time.monotonic() + 30
        while not list_sleeping() and time.monotonic() < until_s:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Nothing is left running" in out
    assert list_sleeping() == []
    assert not (folder / "x").exists()


def list_sleeping() -> list[int]:
    processes = psutil.process_iter(["cmdline"])
    return [
        process.pid for process in processes if (process.info["cmdline"] or [])[1:] == ["long.py"]
    ]


def make_request(**options: bool) -> commands._Request:
    return commands._Request(Namespace(**options), Words(), None, ())


@pytest.mark.parametrize(("typed", "goes_on"), [("y\n", True), ("ДА\n", True), ("\n", False)])
def test_a_person_at_a_terminal_is_asked_before_it_starts(typed, goes_on, monkeypatch, capsys):
    monkeypatch.setattr(commands, "can_ask", lambda: True)
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    plan = Message("It will be called about 900 times.")
    request = make_request(yes=False, quiet=True)
    if goes_on:
        request.confirm(plan)
    else:
        with pytest.raises(KeyboardInterrupt):
            request.confirm(plan)
    assert capsys.readouterr().err == "It will be called about 900 times.\nGo on? [y/N] "
    make_request(yes=True, quiet=False).confirm(plan)
    make_request(yes=True, quiet=True).confirm(plan)
    assert capsys.readouterr().err == "It will be called about 900 times.\n"


def test_a_function_is_tried_on_the_python_of_the_active_environment(folder, monkeypatch):
    venv.create("env", with_pip=False)
    for place, python in [("env", folder / "env/bin/python"), ("gone", None), (sys.prefix, None)]:
        monkeypatch.setenv("VIRTUAL_ENV", place)
        first, *_ = commands._choose_pythons(Namespace(command="try", interpreters=""))
        assert first.path == (python or Path(sys.executable))
