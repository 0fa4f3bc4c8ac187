"""A command line that can't be carried out gets a sentence with what to do, in the person's language."""

import pytest

from poolwise import cli
from poolwise.__main__ import main
from poolwise.words import LANGUAGES

COMPARE = ["compare", "a.py", "b.py"]
TRY = ["try", "work.py:handle", "--items", "items.json"]


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["measure"], "There's no command measure: there are compare, try and run."),
        (["examples/json"], "There's no command examples/json"),
        (["compare", "a.py"], "Name two programs or more: poolwise compare a.py b.py"),
        (["try", "--items", "items.json"], "poolwise try work.py:handle --items items.json"),
        (["try", "work.py:handle"], "poolwise try work.py:handle --items items.json"),
        (["run"], "Name the folder of an experiment"),
        (["run", "examples/json", "--profile", "huge"], "--profile is used incorrectly"),
        ([*COMPARE, "--budget", "0"], "0 isn't a time: --budget and --limit are seconds above 0"),
        ([*COMPARE, "--budget", "-5"], "-5 isn't a time"),
        ([*COMPARE, "--limit", "nan"], "nan isn't a time"),
        ([*TRY, "--budget", "inf"], "inf isn't a time"),
        ([*TRY, "--budget", "soon"], "soon isn't a time"),
        ([*COMPARE, "--rounds", "1"], "1 won't do: give a whole number, 2 or more"),
        ([*COMPARE, "--warmup", "0"], "0 won't do: give a whole number, 1 or more"),
        ([*TRY, "--workers", "4,none"], "none won't do"),
        ([*COMPARE, "--budget"], "--budget is used incorrectly: see --help."),
        ([*COMPARE, "--budgt", "5"], "There's no option or argument --budgt"),
        (["--lang", "de", *COMPARE], "--lang is used incorrectly"),
    ],
)
def test_a_wrong_command_line_is_a_sentence_and_status_2(arguments, sentence, capsys):
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert sentence in printed.err
    assert printed.err.count("\n") == 1


def test_options_may_stand_between_programs_and_times_have_decimals():
    chosen = cli._parse("compare", ["a.py", "--budget", "5.5", "b.py", "-q"])
    assert (chosen.programs, chosen.budget, chosen.quiet) == (["a.py", "b.py"], 5.5, True)
    assert cli._parse("try", [*TRY[1:], "--workers", "4,8,16"]).workers == (4, 8, 16)


def test_the_language_is_an_option_before_it_is_a_variable(monkeypatch, capsys):
    monkeypatch.setenv("LC_ALL", "ru_RU.UTF-8")
    assert main(["compare", "a.py"]) == 2
    assert main(["compare", "a.py", "--lang", "en"]) == 2
    russian, english = capsys.readouterr().err.splitlines()
    assert russian.startswith("Назовите хотя бы две программы")
    assert english.startswith("Name two programs")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["", *cli.HANDLERS])
def test_help_names_each_option_and_all_exit_statuses(command, language, capsys, monkeypatch):
    arguments = [command, "--help"] if command else []
    assert main(["--lang", language, *arguments]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    assert all(status in text for status in ("0 ", "1 ", "2 ", "130 "))
    if command:
        options = set()
        monkeypatch.setattr(
            cli._Parser, "add_argument", lambda self, *names, **kinds: options.update(names)
        )
        with pytest.raises(AttributeError):
            cli._parse(command, [])
        assert {name for name in options if name.startswith("-") and name not in text} == set()


def test_the_version_is_printed(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("poolwise ")
