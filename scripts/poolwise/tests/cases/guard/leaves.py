"""Ends Python at import, as a script does with its main function."""

import sys


def handle(number):
    return number


sys.exit(0)
