"""A crowd: made-up records of several machines and Pythons, for what shows many of them."""

import random
from itertools import islice, product

from scripts.harness.experiment import Experiment
from scripts.site.judge.judge import Evidence
from tests.factories import make_build, make_record, make_variant, replace
from tests.site.render.markup import make_evidence

VERDICTS = ("recommended", "costs more", "gains nothing", "disqualified")


def gather_crowd(
    experiment: Experiment, machines: int, pythons: int, programs: int
) -> list[Evidence]:
    """Make what so many machines gave, each with so many Pythons that ran so many programs."""
    interpreters = [make_build(f"3.{10 + number}.0") for number in range(pythons)]
    competing = (
        (family.name, program)
        for family in experiment.families
        for program in experiment.programs
        if family.name in program.families
    )
    entries = list(islice(competing, programs))
    chance = random.Random(machines)
    crowd = []
    for machine in (f"made-up-{number}-4c" for number in range(machines)):
        records = []
        for python, (family, program) in product(interpreters, entries):
            variant = make_variant(
                experiment=experiment.name,
                machine=machine,
                interpreter=python.id,
                family=family,
                program=program.name,
                start_method="spawn" if program.processes else None,
                cores=4,
                workers=4,
                tasks=program.tasks,
            )
            median_s = 0.3 + chance.lognormvariate(0, 1)
            walls_s = [median_s * chance.uniform(0.9, 1.1) for _ in range(3)]
            peak_pss_bytes = int(chance.lognormvariate(17, 0.5))
            records.append(
                make_record(variant, walls_s, peak_pss_bytes=peak_pss_bytes, cpu_s=0.8 * median_s)
            )
        evidence = make_evidence(records, interpreters, experiment, machine)
        judged = [replace(one, verdict=chance.choice(VERDICTS)) for one in evidence.judgements]
        crowd.append(replace(evidence, judgements=tuple(judged)))
    return crowd
