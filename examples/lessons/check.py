"""Check the programs that you fixed: check.py, or check.py 3 for one lesson.

check.py 3 --hint      the names of the parts to use, then where they go
check.py 3 --solution  our solution, and how it compares with others
check.py 3 --trace F   write the schedule that failed to the file F, as JSON
check.py 3 ru          in Russian, which is the default where the system speaks it

The exit status is 0 if all is right, 1 for "not yet", 2 if there is nothing to check.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - what a reader has may be older
    sys.exit("The lessons need Python 3.11 or later. This is {}.{}.".format(*sys.version_info))

import argparse
from pathlib import Path

from checks.probe import check_program, list_programs
from checks.remarks import say, set_language
from checks.stuck import show_hints, show_solution


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="*", metavar="lesson", help="a number, or en or ru")
    parser.add_argument("--hint", action="store_true", help="two hints")
    parser.add_argument("--solution", action="store_true", help="our solution")
    parser.add_argument("--trace", type=Path, metavar="F", help="write the failed schedule")
    return parser.parse_intermixed_args()


def choose_programs(numbers):
    """Return the programs of these lessons, all of them by default."""
    programs = list_programs()
    if not numbers:
        return programs
    chosen = []
    for number in numbers:
        matches = [path for path in programs if path.name[:2] == number.zfill(2)]
        if number == "9":
            print(say(en="Lesson 9 has no program: choose on its page.",
                      ru="В уроке 9 нет программы: выбирайте на его странице."))  # fmt: skip
        elif not matches:
            print(say(en=f"There is no lesson {number}.", ru=f"Урока {number} нет."))
        if not matches:
            sys.exit(2)
        chosen += matches
    return chosen


def main():
    arguments = parse_arguments()
    numbers = [word for word in arguments.words if word not in ("en", "ru")]
    set_language([word for word in arguments.words if word in ("en", "ru")])
    programs = choose_programs(numbers)
    if arguments.hint or arguments.solution:
        for path in programs:
            (show_hints if arguments.hint else show_solution)(path)
        return 0
    results = [check_program(path, arguments.trace) for path in programs]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
