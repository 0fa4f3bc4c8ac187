"""For who writes exercises: each fails as given, passes when solved, and has its hints."""

import sys

from checks.probe import FOLDER, list_programs, probe
from checks.stuck import read_help

LANGUAGES = ("en", "ru")


def find_faults(name):
    """List what an exercise lacks."""
    faults = []
    given, solved = probe(name), probe(name, FOLDER / "solutions")
    if not any(remark.kind == "must" for remark in given):
        faults.append("passes as it is given")
    faults += [f"its solution fails: {remark.text}" for remark in solved if remark.kind == "must"]
    texts = read_help(name)
    if len(texts["hints"]) != 2:
        faults.append("has not two hints")
    for text in [*texts["hints"], texts["compared"]]:
        faults += [f"a text lacks {language}" for language in LANGUAGES if not text.get(language)]
    return faults


if __name__ == "__main__":
    all_faults = [
        f"{path.name} {fault}" for path in list_programs() for fault in find_faults(path.stem)
    ]
    print("\n".join(all_faults) or "Each exercise fails as it is given and passes when solved.")
    sys.exit(bool(all_faults))
