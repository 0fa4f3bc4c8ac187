"""The command starts in any folder, whatever files are in it, and a change of mind ends it."""

import os
import signal
import subprocess
import sys

import pytest

SHADOWS = ("statistics", "json", "typing", "random", "msgspec", "argparse", "tomllib")


@pytest.mark.parametrize(
    "way", [["-m", "poolwise"], ["-c", "import poolwise.__main__ as tool; sys.exit(tool.main())"]]
)
def test_a_file_of_the_folder_is_never_taken_for_a_module_of_python(tmp_path, way):
    for name in SHADOWS:
        (tmp_path / f"{name}.py").write_text("raise SystemExit('shadowed')", encoding="utf-8")
    if way[0] == "-c":  # as a console script does, which has its own folder on the path
        way = ["-P", "-c", f"import sys; {way[1]}"]
    command = [sys.executable, *way, "compare", "gone.py", "gone.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "There's no file gone.py.\n"


@pytest.mark.parametrize("module", ["cli", "commands", "record"])
def test_who_stops_it_while_it_is_still_being_imported_gets_no_traceback(module):
    code = (
        "import os, runpy, signal, sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == 'poolwise.{module}': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Stop()); sys.argv[1:] = ['compare', 'a.py', 'b.py']\n"
        "runpy.run_module('poolwise', run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        # Whoever was begun in the background has it ignored, and so have all that it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        env=os.environ | {"LC_ALL": "C"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 128 + signal.SIGINT
    assert done.stderr == b""


def test_a_terminal_of_few_letters_still_shows_the_answer(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "poolwise", "--lang", "ru", "--help"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "poolwise compare" in done.stdout
