"""The rows of all machines stand in columns: compact, complete, each related to its own machine."""

import json
import re
from math import inf
from pathlib import Path

from msgspec import structs

from scripts.harness.experiment import Experiment, Navigation
from scripts.site.judge.judge import Evidence
from scripts.site.render.parts import join_modules, make_index, make_part, show_explorer
from tests.factories import (
    EXITED,
    PLAIN,
    POOL,
    make_experiment,
    make_record,
    make_variant,
    replace,
)
from tests.site.golden import WORDS, compare
from tests.site.render.markup import make_evidence

TOLD = re.compile(r'<script type="application/json" id="explore-words">(.*?)</script>', re.DOTALL)


def gather(machine: str = "box", slower: float = 1.0) -> Evidence:
    """A program that takes a fifth of the time, and twice the CPU time, of its baseline."""
    plain = make_variant(machine=machine)
    records = [
        make_record(plain, [10.1 * slower, 10.1 * slower]),
        make_record(replace(plain, program=POOL, workers=30), [2.1 * slower] * 2, cpu_s=0.8),
    ]
    return make_evidence(records, machine=machine)


def test_every_judged_record_is_a_row_related_to_the_baseline_of_its_own_machine() -> None:
    """By how much a baseline differs from itself is not told."""
    part = make_part([gather("slow", slower=4.0), gather("quick")])
    compare("part.json", json.dumps(part, indent=1))


def test_what_did_not_run_or_json_cannot_say_has_no_number() -> None:
    failed = replace(make_record(), status="failed", reason=EXITED, timed=(), traced=())
    part = make_part([make_evidence([failed])])
    assert part["dimensions"]["status"]["values"] == ["failed"]
    assert not {"speedup", "wall_s", "peak_pss_bytes"} & part["measures"].keys()
    evidence = gather()
    plain, pool = evidence.judgements
    assert pool.speedup
    endless = replace(pool, speedup=replace(pool.speedup, high=inf))
    told = make_part([replace(evidence, judgements=(plain, endless))])["measures"]
    assert "speedup_high" not in told


def navigate(name: str, place: int, title: str = "Lab") -> Experiment:
    navigation = Navigation(title={"en": title, "ru": title}, place=place)
    return structs.replace(make_experiment(), name=name, navigation=navigation)


def test_the_index_has_experiments_as_the_navigation_has_them_with_their_baselines() -> None:
    unplaced = structs.replace(make_experiment(), name="b")
    parts = {name: make_part([gather()]) for name in "zab"}
    index = make_index(parts, [unplaced, navigate("a", 2), navigate("z", 1)])
    assert list(index["experiments"]) == ["z", "a", "b"]
    assert index["experiments"]["z"]["baselines"]["io"] == PLAIN
    assert index["experiments"]["z"]["first"] == {"family": ["io"], "cores": ["1"]}
    assert index["experiments"]["z"]["kinds"][POOL] == "threads"
    assert index["count"] == 6


def test_a_title_cannot_end_the_element_that_it_stands_in() -> None:
    bad = "</script><script>alert(1)</script>"
    shown = show_explorer([navigate("lab", 1, bad)], WORDS, "../../")
    assert bad not in shown
    assert json.loads(TOLD.findall(shown)[0])["values"]["experiment"] == {"lab": bad}


def test_modules_are_one_script_in_which_each_stands_behind_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import { two } from "./b.js";\nexport const a = two();\n')
    (tmp_path / "b.js").write_text("export function two() { return 2; }\n")
    script = join_modules(tmp_path)
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert script.index("return { two };") < script.index("const { two } = $b;")
