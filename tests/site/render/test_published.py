"""Published rows hold what the charts and claims were made of: in JSON, in CSV, in columns for Explore."""

import csv
import io
import json
import re
from datetime import date
from math import inf

import pytest
from msgspec import structs

from making import EXITED, make_machine, make_record, make_variant, replace
from poolwise.experiment import Experiment, Navigation
from scripts.site.declare.claims import Where
from scripts.site.judge.evidence import Evidence
from scripts.site.render import published
from scripts.site.render.published import (
    format_csv,
    format_traces,
    make_claims,
    make_document,
    make_index,
    make_part,
    show_explorer,
)
from scripts.site.study.signs import Lasting, Sign
from tests.factories import PLAIN, POOL, make_comparison, make_experiment
from tests.site.golden import WORDS, compare
from tests.site.render.markup import make_evidence
from tests.site.render.test_claims import BUSY, change, check

LONG = re.compile(r"\d+\.\d{7,}")
"""Numbers of which the last digits are those of a machine's library."""
FAST = (1.0, 1.01, 1.02, 0.99, 1.0)


@pytest.mark.parametrize("start", "=+-@\t\r")
def test_what_a_spreadsheet_would_compute_is_text_in_the_csv(start: str) -> None:
    (row,) = make_document([make_evidence([make_record()])])["rows"]
    row |= {"reason": f"{start}1", "params": {f"{start}A": "1"}}
    (line,) = csv.DictReader(io.StringIO(format_csv([row])))
    assert (line["reason"], line["params"]) == (f"'{start}1", f"'{start}A=1")


SIGN = Lasting(
    status="not applicable",
    machine="box",
    model="Example CPU",
    since=date(2026, 11, 12),
    before=Sign(status="open", machine="ark", model="Apple M1"),
)


def test_rows_traces_and_claims_are_published_in_these_forms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(published, "load_words", lambda language: WORDS)
    records = [make_record(), make_record(make_variant(cores=2, program=POOL), FAST)]
    broken = make_record(make_variant(cores=2, program="08-cpu-sequential", family="cpu"))
    records.append(replace(broken, status="failed", reason=EXITED, stderr="<boom>", timed=()))
    evidence = make_evidence(records)
    document = make_document([evidence])
    told = format_csv(document["rows"]).replace("\r\n", "\n")
    compare("rows.csv", LONG.sub(lambda number: f"{float(number[0]):.6g}", told))
    compare("traces.csv", format_traces(evidence.judgements))
    claims = make_claims([check(), check(change(id="o", where=Where(gil="off")))], {"o": SIGN})
    compare("claims.json", json.dumps(claims["claims"], indent=1, ensure_ascii=False))


def test_what_is_infinite_is_published_as_null() -> None:
    never = make_comparison(metric="made", right=1)
    records = [
        make_record(make_variant(program=POOL), [1.0] * 8, readings={"made": [0] * 8}),
        make_record(make_variant(program=PLAIN), [1.0] * 8),
    ]
    ((told,),) = (
        one["checks"] for one in make_claims([check(change(all=[never]), records)], {})["claims"]
    )
    assert (told["status"], told["value"], told["interval"]) == ("confirmed", None, [None, None])


def test_a_check_has_the_cores_that_others_took_where_they_matter() -> None:
    ((told,),) = (one["checks"] for one in make_claims([BUSY], {})["claims"])
    assert (told["status"], told["others"]) == ("open", {"taken": 1.5, "cores": 2.0})


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
    endless = replace(pool, speedup=replace(pool.speedup, high=inf))
    told = make_part([replace(evidence, judgements=(plain, endless))])["measures"]
    assert "speedup_high" not in told


def navigate(name: str, place: int, title: str = "Lab") -> Experiment:
    navigation = Navigation(title={"en": title, "ru": title}, place=place)
    return structs.replace(make_experiment(), name=name, navigation=navigation)


def test_the_index_has_experiments_as_the_navigation_has_them_with_their_baselines() -> None:
    unplaced = structs.replace(make_experiment(), name="b")
    experiments = [unplaced, navigate("a", 2), navigate("z", 1)]
    index = make_index([replace(gather(), experiment=one)] for one in experiments)
    assert list(index["experiments"]) == ["z", "a", "b"]
    assert index["experiments"]["z"]["baselines"]["io"] == PLAIN
    assert index["experiments"]["z"]["first"] == {"family": ["io"], "cores": ["1"]}
    assert index["experiments"]["z"]["kinds"][POOL] == "threads"
    assert index["count"] == 6


def test_a_title_cannot_end_the_element_that_it_stands_in() -> None:
    bad = "</script><script>alert(1)</script>"
    shown = show_explorer([navigate("lab", 1, bad)], [make_machine()], WORDS, "../../")
    assert bad not in shown
    assert json.loads(TOLD.findall(shown)[0])["values"]["experiment"] == {"lab": bad}
