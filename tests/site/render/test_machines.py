"""What each machine is, what was measured on it, and how noisy it was."""

from scripts.harness.record import Record, Trial
from scripts.site.render.machines import show_absent, show_machines, show_summary
from scripts.site.render.words import load_words
from scripts.site.study.absent import Column, Part
from tests.factories import make_machine, make_record, make_values, replace
from tests.site.judge.test_rows import gather, make_pair

EN = load_words("en")


def make_noisy(machine: str) -> list[Record]:
    """Two programs of which every other round took a tenth more."""
    walls = [1.0, 1.1] * 4
    return [make_record(record.variant, walls) for record in make_pair(machine)]


def test_each_machine_is_a_row_and_the_one_shown_is_told() -> None:
    found = {name: [gather(name, *make_pair(name))] for name in ("box", "far")}
    shown = show_machines(found, EN, "", "box")
    assert shown.count('<th scope="row">') == 2
    assert shown.count(EN.text("machine_shown")) == 1
    assert "Debian GNU/Linux 12" in shown


def test_the_noise_is_that_of_a_program_against_itself() -> None:
    shown = show_summary([gather("box", *make_noisy("box"))], EN)
    assert "half of them differ by less than 10%" in shown


def test_of_too_few_trials_no_noise_is_told() -> None:
    assert "against itself" not in show_summary([gather("box", *make_pair("box"))], EN)


def test_what_of_their_pace_cores_lacked_is_told_by_how_much_they_computed() -> None:
    record = make_record()
    computing, waiting = (
        Trial(status="ok", values=make_values(1.0, cpu_s, slowed_share=slowed))
        for cpu_s, slowed in ((0.9, 0.2), (0.1, 0.4))
    )
    shown = show_summary([gather("box", replace(record, timed=(computing, waiting)))], EN)
    assert "its cores lacked 22% of their best pace where programs computed" in shown
    assert "best pace" not in show_summary([gather("box", record)], EN)


def test_disturbed_trials_are_counted() -> None:
    first, second = make_pair("box")
    disturbed = replace(first, disturbed=first.timed[:1])
    shown = show_summary([gather("box", disturbed, second)], EN)
    assert "9.1% of 11 trials disturbed" in shown


def test_a_machine_of_which_nothing_was_measured_is_described_nevertheless() -> None:
    shown = show_summary([replace(gather("box"), machine=make_machine(hypervisor="KVM"))], EN)
    assert EN.text("not_measured") in shown
    assert "KVM" in shown


def test_a_column_that_no_runner_gave_is_told_by_what_it_was_to_measure() -> None:
    missing = Column(runner="box-arm", python="3.15t", part=Part(name="rest", only="!matrix,!json"))
    shown = show_absent([missing], EN)
    assert all(told in shown for told in ("box-arm", "3.15t", "!matrix, !json"))
    assert show_absent([], EN) == ""
