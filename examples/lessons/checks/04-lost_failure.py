"""Three loads of which one fails, and three that end in reverse order."""

from itertools import pairwise
from threading import Event

from checks.words import say

NAMES = ["first", "second", "third"]


def fail(name):
    if name == "second":
        raise ValueError(f"there is no {name} file")
    return name


def find_fault(program):
    try:
        program.load_all(fail, NAMES)
    except (ValueError, ExceptionGroup):
        pass
    else:
        return say("a load failed, and load_all did not raise anything")
    done = {name: Event() for name in NAMES}
    after = dict(pairwise(NAMES))
    apart = []

    def load(name):
        if name in after and not done[after[name]].wait(timeout=2):
            apart.append(name)
        done[name].set()
        return name.upper()

    loaded = program.load_all(load, NAMES)
    if apart:
        return say("a load begins only when the one before it has ended")
    if list(loaded or []) != [name.upper() for name in NAMES]:
        return say("the files should come in the order of the names, and these came: {}", loaded)
    return ""
