"""A way is out if it gives or leaves anything else than a loop; what no loop repeats proves nothing."""

from dataclasses import replace

import pytest

from poolwise.proof import (
    Change,
    Proof,
    describe_stage,
    describe_unproved,
    find_fault,
    list_effects,
)
from poolwise.words import Message, Words

LOOP = Proof(count=2, results=["a", "b"], texts=["'a'", "'b'"])
GROWN = Change(before="0", after="1", text="[1, 2]", members="m")


def say(message: Message | None) -> str:
    return Words().say(message) if message else ""


def change(**changes: Change) -> Proof:
    return replace(LOOP, changes=changes)


def test_a_result_that_differs_is_named_with_both_texts():
    way = replace(LOOP, results=["a", "x"], texts=["'a'", "'x'"])
    assert "item 2 gives 'x', and 'b' in a loop" in say(find_fault([LOOP, LOOP], way, "threads"))
    hidden = replace(way, texts=LOOP.texts)
    assert "though it prints the same" in say(find_fault([LOOP], hidden, "threads"))
    many = replace(way, count=9000)
    assert say(find_fault([LOOP], many, "threads")) == "1 result differs from the loop's."


def test_results_that_no_two_loops_share_prove_nothing_and_the_others_still_do():
    again = replace(LOOP, results=["a", "c"], texts=["'a'", "'c'"])
    assert "item 2 gave 'b', then 'c'" in say(describe_unproved([LOOP, again]))
    assert find_fault([LOOP, again], replace(LOOP, results=["a", "z"]), "threads") is None
    assert find_fault([LOOP, again], replace(LOOP, results=["z", "b"]), "threads")


def test_a_cache_that_stays_in_processes_is_told_and_rules_nothing_out():
    loop = change(CACHE=GROWN)
    assert find_fault([loop], LOOP, "processes") is None
    assert "CACHE" in say(list_effects([loop])[0])
    assert "doesn't change CACHE" in say(find_fault([loop], LOOP, "threads"))


@pytest.mark.parametrize(
    "loop",
    [
        replace(change(ROWS=GROWN), is_empty=True),
        replace(change(ROWS=GROWN), grown=["ROWS"]),
        change(ROWS=replace(GROWN, is_file=True)),
    ],
)
def test_a_change_that_is_the_work_may_not_stay_in_processes(loop):
    assert "ROWS" in say(find_fault([loop], LOOP, "processes"))


def test_what_a_way_leaves_otherwise_is_told_as_it_is():
    def leave(**changes: object) -> str:
        way = change(ROWS=replace(GROWN, after="2", **changes))
        return say(find_fault([change(ROWS=GROWN)], way, "threads"))

    assert "in another order" in leave(text="[2, 1]")
    assert "leaves ROWS as 38, and a loop as [1, 2]" in leave(text="38", members="")
    assert "with other contents" in leave(text="x" * 50, members="")
    assert "changes MORE into [1, 2]" in say(find_fault([LOOP], change(MORE=GROWN), "threads"))


def test_what_two_loops_change_differently_proves_nothing():
    loops = [change(LAST=GROWN), change(LAST=replace(GROWN, after="2"))]
    assert find_fault(loops, LOOP, "threads") is None
    assert "LAST differently each time" in say(list_effects(loops)[0])
    file = replace(GROWN, is_file=True)
    loops = [change(a=file), change(b=file)]
    assert find_fault(loops, change(c=file), "threads") is None


@pytest.mark.parametrize("way", ["processes", "threads"])
def test_an_item_that_a_loop_changes_must_be_changed(way):
    loop = replace(LOOP, items=["", "y"])
    assert "item 2" in say(find_fault([loop], LOOP, way))
    assert find_fault([loop], loop, way) is None


def test_what_cannot_be_compared_is_said():
    loop = replace(LOOP, uncompared={"0": "generator"})
    assert "item 1 holds an object that can't be compared: generator" in say(
        describe_unproved([loop])
    )
    loop = replace(LOOP, unread={"client": "httpx.Client", "BIG": ""})
    assert describe_unproved([loop]) is None
    assert [say(note) for note in list_effects([loop])] == [
        "Not compared, because it has more than 50 MB: BIG.",
        "Not compared, because no state of it can be read: client (httpx.Client).",
    ]
    nothing = replace(LOOP, is_empty=True, texts=["None", "None"])
    assert "nothing that the calls change can be seen" in say(describe_unproved([nothing]))
    assert describe_unproved([replace(nothing, items=["", "y"])]) is None
    assert describe_unproved([replace(nothing, texts=["200", "200"])]) is None
    assert "BIG and client" in say(describe_unproved([replace(loop, is_empty=True)]))


def test_a_stage_that_was_never_entered_says_nothing(tmp_path):
    assert describe_stage(tmp_path / "none", "handle") is None
    (tmp_path / "empty").touch()
    assert describe_stage(tmp_path / "empty", "handle") is None
