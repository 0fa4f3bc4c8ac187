"""Packages: environments of interpreters, with those packages that there are wheels of."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from scripts.declare.imports import read_pins
from scripts.host.discovery import find_uv
from scripts.host.interpreters import Installation
from scripts.paths import REQUIREMENTS, VENVS

_NO_WHEEL = "No solution found"
_OFFLINE = "the network was disabled"
"""What uv says of a package without a wheel for an interpreter, and also where it may not look."""


class NoPackages(RuntimeError):
    """Packages could not be fetched, or an environment not be made; says why in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """An interpreter with packages. Of ``missing`` ones there is no wheel for it."""

    installation: Installation
    missing: frozenset[str] = frozenset()


def prepare(
    installation: Installation, packages: Mapping[str, str], requirements: Path = REQUIREMENTS
) -> Environment:
    """The interpreter with packages: the running one, which has them, or a virtual environment.

    Nothing is built, which may take minutes and need compilers: what has no wheel is missing. What
    an environment has, and what is missing, holds as long as the pins do.

    Args:
        installation: the interpreter.
        packages: the pin of each by its name, as ``find_packages`` gives them.
        requirements: the pins with their hashes, of what the packages need too.

    Raises:
        NoPackages: uv is missing or failed, or packages could not be fetched.
    """
    if installation.path == Path(sys.executable):
        return Environment(installation=installation)
    # The GIL is a matter of the environment variables, not of the packages.
    folder = VENVS / installation.interpreter.id.removesuffix("-gil")
    python, stamp = folder / "bin" / "python", folder / "packages.json"
    pins = [str(installation.path), *read_pins(requirements).values()]
    digest = hashlib.sha256("\n".join(pins).encode()).hexdigest()
    known = _recall(stamp, digest)
    if known is None or not python.exists():
        shutil.rmtree(folder, ignore_errors=True)
        done = _run_uv("venv", "--python", str(installation.path), str(folder))
        if done.returncode:
            raise NoPackages(_explain("uv cannot make an environment", done.stderr))
        known = {}
    if unknown := sorted(packages.keys() - known):
        known |= _install(python, {name: packages[name] for name in unknown}, requirements)
    stamp.write_text(json.dumps({"digest": digest, "installed": known}), encoding="utf-8")
    missing = frozenset(name for name in packages if not known[name])
    return Environment(installation=replace(installation, path=python), missing=missing)


def _recall(stamp: Path, digest: str) -> dict[str, bool] | None:
    """Which packages are known to be installed or not; ``None`` if the pins were others."""
    with suppress(OSError, ValueError, LookupError, TypeError):
        noted = json.loads(stamp.read_text(encoding="utf-8"))
        if noted["digest"] == digest:
            return dict(noted["installed"])
    return None


def _install(python: Path, packages: Mapping[str, str], requirements: Path) -> dict[str, bool]:
    """Install packages with what they need, at once or else one by one; tells which of them are."""
    options = ["--python", str(python), "--only-binary", ":all:", "--require-hashes"]
    options += ["--constraints", str(requirements)]
    done = _run_uv("pip", "install", *options, *packages.values())
    if done.returncode == 0:
        return dict.fromkeys(packages, True)
    if _NO_WHEEL not in done.stderr or _OFFLINE in done.stderr:
        raise NoPackages(_explain(f"{', '.join(packages)} cannot be fetched", done.stderr))
    if len(packages) == 1:
        return dict.fromkeys(packages, False)
    apart = [_install(python, {name: pin}, requirements) for name, pin in packages.items()]
    return {name: found for one in apart for name, found in one.items()}


def _run_uv(*arguments: str) -> subprocess.CompletedProcess[str]:
    uv = find_uv()
    if uv is None:
        raise NoPackages("uv is needed to install packages for another interpreter")
    return subprocess.run(
        [uv, "--color=never", *arguments], capture_output=True, text=True, check=False
    )


def _explain(what: str, stderr: str) -> str:
    """A sentence with the first and the last of what uv says went wrong."""
    lines = [line.strip() for line in stderr.splitlines()]
    causes = [line for line in lines if line.startswith(("error:", "cause:", "hint:"))]
    told = [line.partition(": ")[2] for line in causes or lines[-1:]]
    return f"{what}: {'; '.join(dict.fromkeys([*told[:1], *told[-1:]]))}"
