"""Findings: the claims with which pages open, as ``docs/findings.toml`` declares."""

from collections.abc import Collection, Mapping
from pathlib import Path

from scripts.declare.declaration import Declared, convert, is_there, read_toml, refuse


class _FindingsFile(Declared, frozen=True, kw_only=True):
    findings: dict[str, list[str]]


def load_findings(path: Path, claims: Collection[str]) -> Mapping[str, list[str]]:
    """The ids of claims by the name of the page that opens with them; none if there is no file.

    Raises:
        MalformedDeclaration: something is wrong; names file, line, key and claim.
    """
    if not is_there(path):
        return {}
    findings = convert(read_toml(path), _FindingsFile, path).findings
    for page, ids in findings.items():
        for place, id_ in enumerate(ids):
            if id_ not in claims:
                refuse(path, [(["findings", page, place], f"no such claim {id_!r}")])
    return findings
