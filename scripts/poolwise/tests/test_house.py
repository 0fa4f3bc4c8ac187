"""The tool speaks plain words; what is counted here is printed by ``pytest -s``."""

from collections import Counter
from pathlib import Path

import poolwise
from house import count, find_homonyms

SOURCES = sorted(Path(poolwise.__file__).parent.rglob("*.py"))


def test_no_name_is_of_a_private_dialect_and_no_text_is_multiplied_by_a_condition():
    counts = {path.relative_to(SOURCES[0].parent): count(path) for path in SOURCES}
    total: Counter[str] = sum(counts.values(), Counter())
    print(f"in {total['lines']} lines:", {key: n for key, n in total.items() if key != "lines"})
    for key in ("dialect", "nested", "text x condition"):
        assert {path.stem: counted[key] for path, counted in counts.items() if counted[key]} == {}


def test_no_constant_and_no_function_has_two_meanings():
    assert find_homonyms(SOURCES) == {}
