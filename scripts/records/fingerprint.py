"""Fingerprints: what a record is valid for."""

import hashlib
from collections.abc import Iterable

from scripts.declare.experiment import Experiment
from scripts.declare.imports import find_packages, read_source
from scripts.host.interpreters import Interpreter
from scripts.paths import SERVER
from scripts.records.record import Variant

PROTOCOL = 4
"""Version of how trials are run and counted; raise it when old and new records must not mix."""


def take_fingerprint(
    experiment: Experiment, variant: Variant, profile: str, interpreter: Interpreter
) -> str:
    """Digest of the program, its shared code, the interpreter build, the profile.

    And of the pinned versions of the packages that it imports, without what those need in turn,
    and of what decides whether a trial did its work: result, ending and time limit. Machine and
    parameters are in the variant. The load server counts as shared code where the experiment
    needs it.
    """
    program, sizes = experiment.program(variant.program), experiment.profiles[profile]
    files = [experiment.folder / program.file]
    files += [experiment.folder / name for name in experiment.shared]
    if experiment.needs_server:
        files.append(SERVER)
    facts = [str(PROTOCOL), profile, repr(variant), interpreter.version, interpreter.build]
    facts += [experiment.tracer, *experiment.readings]
    facts += [program.ends, program.says, repr(program.timeout_s or sizes.timeout_s)]
    facts += [repr(sizes.results.get(variant.family))]
    facts += find_packages(experiment, program.name, interpreter.version).values()
    return _digest([*facts, *(read_source(path) for path in files)])


def _digest(parts: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}:{part}".encode())
    return digest.hexdigest()[:16]
