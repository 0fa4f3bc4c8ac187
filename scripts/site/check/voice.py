"""Voice: what Choose and Home advise, held against the claims and verdicts of the records at hand."""

from collections.abc import Iterator
from pathlib import Path

from scripts.harness.store import list_files
from scripts.site.declare.declarations import Declarations
from scripts.site.judge.choosing import find_objection
from scripts.site.judge.claims import check_machines
from scripts.site.settings import Settings
from scripts.site.study.pipeline import Pipeline


def find_objections(results: Path, declared: Declarations) -> Iterator[str]:
    """Tell which answers the records of each machine contradict."""
    for machine in sorted({path.parent.name for path in list_files(results)}):
        settings = Settings(measure="nothing", machine=machine, results=results)
        pipeline = Pipeline(settings, declared=declared)
        for choice in declared.choices:
            (claim,) = (one for one in declared.claims[choice.experiment] if one.id == choice.claim)
            evidence = pipeline.gather(choice.experiment)
            (checked,) = check_machines(choice.experiment, [claim], [evidence])
            if objection := find_objection(choice, checked, evidence):
                yield f"docs/choices.toml: {objection} by the records of {machine}"
