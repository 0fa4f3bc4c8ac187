"""Bundles: the programs of an experiment in one archive that runs wherever it is unpacked."""

import io
import zipfile
from collections.abc import Iterator, Sequence

from scripts.harness.experiment import Experiment
from scripts.harness.packages import find_all_packages
from scripts.harness.paths import ROOT, SERVER
from scripts.site.render.names import name_experiment
from scripts.site.render.words import Words

_MOMENT = (1980, 1, 1, 0, 0, 0)
"""The first that an archive can tell; the same for all, so that a build repeats its bytes."""
_MODE = 0o644 << 16


def make_bundle(experiment: Experiment, languages: Sequence[Words]) -> bytes:
    """A ZIP archive with all that the programs of an experiment take to be run by hand.

    Its paths are those of the repository, so that the commands on the pages work from where it was
    unpacked. It is not compressed: the bytes would be those of one version of zlib.
    """
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as bundle:
        for path, content in sorted(_list_files(experiment, languages)):
            entry = zipfile.ZipInfo(path, _MOMENT)
            entry.external_attr = _MODE
            bundle.writestr(entry, content)
    return archive.getvalue()


def _list_files(experiment: Experiment, languages: Sequence[Words]) -> Iterator[tuple[str, bytes]]:
    """Each file of the archive: its path and its content."""
    folder = f"examples/{experiment.name}"
    for name in (*experiment.shared, *(program.file for program in experiment.programs)):
        yield f"{folder}/{name}", (experiment.folder / name).read_bytes()
    if experiment.needs_server:
        yield f"examples/{SERVER.name}", SERVER.read_bytes()
    yield f"{folder}/LICENSE", (ROOT / "LICENSE").read_bytes()
    found = find_all_packages(experiment).values()
    pins = "".join(f"{pin}\n" for versions in found for pin in versions)
    if pins:
        yield f"{folder}/requirements.txt", pins.encode()
    for words in languages:
        yield f"{folder}/README.{words.language}.md", _explain(experiment, words, bool(pins))


def _explain(experiment: Experiment, words: Words, has_requirements: bool) -> bytes:
    """How the programs are run."""
    folder = f"examples/{experiment.name}"
    title = name_experiment(experiment, words)
    steps = [f"python {folder}/{experiment.programs[0].file}"]
    notes = [words.text("bundle_server")] if experiment.needs_server else []
    if experiment.needs_server:
        steps.insert(0, f"python examples/{SERVER.name}")
    if has_requirements:
        steps.insert(0, f"python -m pip install -r {folder}/requirements.txt")
    commands = "".join(f"    {step}\n" for step in steps)
    paragraphs = [f"# {title}", words.text("bundle_how"), commands.rstrip(), *notes]
    return ("\n\n".join(paragraphs) + "\n").encode()
