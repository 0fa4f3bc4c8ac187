"""``run`` measures an experiment, and names what is wrong in a sentence."""

import pytest

from making import write_experiment
from poolwise import run
from poolwise.__main__ import main
from poolwise.store import list_files, read_results


@pytest.fixture
def lab(tmp_path):
    folder = tmp_path / "lab"
    write_experiment(folder)
    for name in ("one.py", "two.py"):
        (folder / name).write_text("print('time 0.001 s')\n", encoding="utf-8")
    return folder


def test_it_measures_an_experiment_and_prints_a_row_for_each_program(
    lab, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(run, "PAIR_WORK", "pass")
    records = tmp_path / "records"
    assert (
        main(["run", str(lab), "--profile", "smoke", "--only", "one", "--into", str(records)]) == 0
    )
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split()[:2] == ["program", "family"]
    assert {(*row.split()[:2], row.split()[-1]) for row in rows} == {("one", "io", "1")}
    (path,) = list_files(records)
    results = read_results(path)
    assert results
    assert [len(record.timed) for record in results.records] == [1] * len(rows)


def test_what_is_wrong_is_told_in_a_sentence(lab, tmp_path, capsys):
    assert main(["run", str(lab), "--only", "99", "--into", str(tmp_path)]) == 2
    assert "ONLY=99 matches nothing" in capsys.readouterr().err
    assert main(["run", str(tmp_path / "nowhere")]) == 2
    assert "No such file" in capsys.readouterr().err
