"""What a program wrote becomes readings, and text that tells of nobody."""

import html
import json
import shlex
import tempfile
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from making import make_interpreter
from poolwise import output
from poolwise.declaration import Reason
from poolwise.output import STDERR_LINES, clean, defuse, read_complaints, read_output
from poolwise.paths import ROOT
from poolwise.pythons import Installation
from poolwise.record import CONTROLS, LONGEST_TEXT

TRACEBACK = """\
Traceback (most recent call last):
  File "p.py", line 1, in <module>
    {}["b"]
    ~~^^^^^
KeyError: 'b'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "p.py", line 3, in <module>
    raise ValueError("not b")
ValueError: not b
"""

UNGUARDED = """\
Traceback (most recent call last):
  File "p.py", line 14, in <module>
    raise RuntimeError('''
    ...<16 lines>...
    ''')
RuntimeError:\x20
        An attempt has been made to start a new process.

            if __name__ == '__main__':
\x20
Traceback (most recent call last):
  File "p.py", line 15, in <module>
    primes.result()
BrokenProcessPool: abruptly
"""

GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "p.py", line 9, in <module>
  |     asyncio.run(main())
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "p.py", line 5, in boom
    |     raise ValueError("boom")
    | ValueError: boom
    +------------------------------------
"""


UNGUARDED_TOLD = """\
RuntimeError:
  An attempt has been made to start a new process.

      if __name__ == '__main__':
BrokenProcessPool: abruptly"""
GROUP_TOLD = """\
ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
ValueError: boom"""


@pytest.mark.parametrize(
    ("stderr", "told"),
    [
        (TRACEBACK * 3, "KeyError: 'b'\nValueError: not b"),
        (UNGUARDED * 2, UNGUARDED_TOLD),
        (GROUP, GROUP_TOLD),
        ("", ""),
    ],
)
def test_errors_are_told_once_as_a_whole_and_without_the_ways_that_led_there(stderr, told):
    assert read_complaints(stderr) == told


def test_what_is_no_error_of_ours_is_told_too_but_not_without_end():
    warnings = "".join(f"warning {number}\n" for number in range(100))
    told = read_complaints(f"{warnings}Killed\n").splitlines()
    assert told[-1] == "Killed"
    assert "warning 0" not in told
    assert len(told) == STDERR_LINES


def test_declared_readings_are_taken_out_of_what_was_printed_and_no_others():
    stdout = "30 pages\nmade 12 threads\np99 0.25 s\ntime 1.5 s\n"
    output = read_output(stdout, ["p99", "lag"])
    assert (output.readings, output.rest) == ({"p99": 0.25}, "30 pages\nmade 12 threads")
    assert (output.inside_s, output.fault) == (1.5, None)


@pytest.mark.parametrize(
    ("stdout", "fault"),
    [
        ("time 1.5 s\ntime 1.6 s\n", Reason("no-number", {"name": "time", "printed": "1.6"})),
        (f"made {'9' * 400} units\n", Reason("no-number", {"name": "made", "printed": "9" * 40})),
        ("time nan s\n", Reason("no-number", {"name": "time", "printed": "nan"})),
        ("time 1.5e-05 s\n", Reason("no-number", {"name": "time", "printed": "1.5e-05"})),
        ("30 pages\ntime flies fast\nlost nan units\nspent time 1 s\n", None),
        ("made 100000000000000 units\nlost 1 units\nlost 1 units\n", None),
    ],
)
def test_time_and_readings_stand_once_and_are_numbers_of_something(stdout, fault):
    assert read_output(stdout, ["made"]).fault == fault


def make_installation(path: str) -> Installation:
    return Installation(interpreter=make_interpreter(), path=Path(path))


PYENV = make_installation("/opt/bob/versions/3.13.0/bin/python3.13")


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (f'File "{ROOT}/examples/lab/one.py", line 3', 'File "./examples/lab/one.py", line 3'),
        (f"in {ROOT}: no", "in .: no"),
        (f"{ROOT}-of-bob", f"{ROOT}-of-bob".replace(tempfile.gettempdir(), "<tmp>", 1)),
        (
            "/opt/bob/versions/3.13.0/lib/python3.13/json.py",
            "cpython-3.13.0/lib/python3.13/json.py",
        ),
        (f"{tempfile.gettempdir()}/launcher-x/stdout", "<tmp>/launcher-x/stdout"),
        ("'/srv/people/bob/notes.txt'", "'~/notes.txt'"),
        ("/home/alice/x, /Users/bob/y and file:///home/bob/z", "~/x, ~/y and file://~/z"),
        ("1/home/x is no path", "1/home/x is no path"),
        (r"a\n/home/bob/x, %2Fhome%2Fbob%2Fx", r"a\n~/x, ~%2Fx"),
        ("/usr/lib/os.py", "/usr/lib/os.py"),
    ],
)
def test_a_text_does_not_tell_whose_machine_it_was(told, kept, monkeypatch):
    monkeypatch.setenv("HOME", "/srv/people/bob")
    assert clean(told, PYENV) == kept


def test_an_interpreter_of_the_system_or_a_home_at_the_root_hides_nothing_else(monkeypatch):
    monkeypatch.setenv("HOME", "/")
    text = "/usr/bin/env and /etc/passwd"
    assert clean(text, make_installation("/usr/bin/python3.13")) == text


def test_a_virtual_environment_and_what_it_was_made_of_are_called_by_the_id(tmp_path):
    base, environment = tmp_path / "base", tmp_path / "environment"
    for folder in (base, environment):
        (folder / "bin").mkdir(parents=True)
    (base / "bin/python").touch()
    (environment / "bin/python").symlink_to(base / "bin/python")
    text = f"{environment}/lib/a.py {base}/lib/b.py"
    installation = make_installation(f"{environment}/bin/python")
    assert clean(text, installation) == "cpython-3.13.0/lib/a.py cpython-3.13.0/lib/b.py"


def test_a_text_holds_no_control_characters():
    cleaned = clean("\x1b[31mred\x1b[0m\r\n\tand\x00 so\x0b on\x07\x1b", PYENV)
    assert cleaned == "red\n\tand so on"
    assert not CONTROLS.search(cleaned)


@pytest.mark.parametrize(
    ("printed", "kept"),
    [
        ("\x1b]8;;https://example.org\x1b\\a link\x1b]8;;\x1b\\", "a link"),
        ("\x1b]0;window title\x07text\x1b(B\x1b7 and\x1b8", "text and"),
        ("\x1bPq#0;2;0;0;0\n#1~~\x1b\\a picture\x1b_app\x1b\\", "a picture"),
        ("\x9b31mC1\x9b0m \x9d0;title\x9ctext", "C1 text"),
        ("\x1b[?25l\x1b[38;2;1;2;3mx\x1b[>4;1m\x1b#8\x1bc", "x"),
        ("\x1b]0;that never ends\nnext", "\nnext"),
        ("done\b\b\b\bDONE\rover", "over"),
        ("10 %\r100 %\rok\x1b[K\r\nlong\x1b[2Kxy\n", "ok\nxy\n"),
    ],
)
def test_of_escapes_and_returns_is_kept_what_a_terminal_shows(printed, kept):
    assert clean(printed, PYENV) == kept


def test_of_a_long_text_the_middle_is_left_out():
    cleaned = clean(f"first{'x' * LONGEST_TEXT}last", PYENV)
    assert (cleaned[:5], cleaned[-4:]) == ("first", "last")
    assert LONGEST_TEXT - 100 < len(cleaned) <= LONGEST_TEXT
    assert len(clean("x" * 5000, PYENV, 2000)) <= 2000
    assert clean("x" * 2000, PYENV, 2000) == "x" * 2000


@pytest.mark.parametrize("folder", ["/srv/Иван/проект", "/srv/it's", '/srv/a "b" #1 %20/é\'"q'])
def test_a_path_of_ours_is_hidden_however_it_is_written(monkeypatch, folder):
    monkeypatch.setattr(output, "ROOT", Path(folder))
    path = f"{folder}/examples/a.py"
    kept = "./examples/a.py"
    quoted = [repr(path), ascii(path), repr(f"'\"{path}"), json.dumps(path), shlex.quote(path)]
    quoted += [json.dumps(repr(repr(path))), path.encode("ascii", "backslashreplace").decode()]
    for text in (path, *quoted, html.escape(path), quote_plus(path, "/"), quote(path)):
        assert clean(text, PYENV).strip("\\'\"") == kept
    assert clean(repr(path.encode()), PYENV)[2:-1] == kept
    assert clean(quote(path, safe=""), PYENV) == kept.replace("/", "%2F")
    assert clean(json.dumps(f"\n{path}").replace("/", "\\/"), PYENV) == r'"\n.\/examples\/a.py"'
    assert clean(Path(path).as_uri(), PYENV) == f"file://{kept}"
    assert clean(f"in {folder}.", PYENV) == "in .."


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\r", "\u2028", "\x0b"])
@pytest.mark.parametrize("command", ["::error::x", " \t::add-mask::e", "a ##[error]x", "\x1b::x::"])
def test_no_line_is_a_command_to_a_runner_whatever_a_program_said(break_, command):
    told = defuse(f"first{break_}{command}{break_}last: a::b").splitlines()
    assert len(told) == 3
    assert all(line.isprintable() for line in told)
    assert not any(line.lstrip().startswith("::") or "##[" in line for line in told)
    assert (told[0], told[2]) == ("first", "last: a::b")
