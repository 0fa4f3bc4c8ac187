"""CONTRIBUTING names what a new experiment has to declare, and nothing that nobody can."""

import re

import msgspec
import pytest

from poolwise.experiment import Experiment, Family, Navigation, Profile, Program
from scripts.site.paths import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^   \| (?:… )?(`.*?) \|.*?\| (.*?) \|.*\|$", TEXT, re.MULTILINE)
KEYS = {key: default for keys, default in ROWS for key in re.findall(r"`([^`]+)`", keys)}
# What stands in the file by its place, or is no key of it.
NAMED = {"name", "folder", "families", "programs", "profiles", "file"}


@pytest.mark.parametrize("kind", [Experiment, Family, Navigation, Profile, Program])
def test_each_required_key_has_a_row(kind: type[msgspec.Struct]) -> None:
    fields = msgspec.structs.fields(kind)
    required = {field.encode_name for field in fields if field.required} - NAMED
    lacking = {key for key in required if not re.search(rf"`{key}`", TEXT)}
    assert not lacking
    assert all("required" in KEYS[key] for key in required & KEYS.keys())


def test_each_key_of_the_table_can_be_declared() -> None:
    kinds = (Experiment, Family, Profile, Program)
    known = {field.encode_name for kind in kinds for field in msgspec.structs.fields(kind)}
    assert {key for key in KEYS if "[" not in key} <= known
