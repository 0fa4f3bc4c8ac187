"""Reviews: which claims a person has read, so that no sentence drifts away from its condition.

No machine can tell whether a sentence says what its condition tests. So ``examples/reviewed.toml``
keeps a digest of every claim, sentences and condition, as a person last read it. When either changes
the digest no longer fits, and ``make check`` asks for another look.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scripts.harness.declaration import convert, find_line, read_text, read_toml
from scripts.site.check.pages import Problem
from scripts.site.declare.declarations import Declarations

_DIGEST_LENGTH = 8
_HEAD = """\
# A digest of every claim, its sentences and its condition, as a person last read it. `make check` says
# which has changed since. Hold its sentences against its condition, then run `make reviewed`.
"""


def find_unread(path: Path, declared: Declarations) -> Iterator[Problem]:
    """Find every claim that is new or has changed since a person read it, and notes on none."""
    known = _read_digests(path)
    for name, digests in _list_digests(declared).items():
        claims = declared.experiments[name].folder / "claims.toml"
        for number, (id_, digest) in enumerate(digests.items()):
            if known.pop(id_, "") != digest:
                line = find_line(read_text(claims), ["claims", number])
                yield Problem(
                    claims,
                    line,
                    f"{id_}: is new or has changed since somebody read it: hold its sentences "
                    "against its condition, then run `make reviewed`",
                )
    for id_ in sorted(known):
        line = find_line(read_text(path), [id_])
        yield Problem(path, line, f"{id_}: there is no such claim; `make reviewed` forgets it")


def note_reviewed(path: Path, declared: Declarations) -> list[str]:
    """Note all claims as read just now; returns the ids of those that had not been."""
    known = _read_digests(path)
    lines, noted = [_HEAD], []
    for name, digests in _list_digests(declared).items():
        lines.append(f"# {name}\n")
        for id_, digest in digests.items():
            lines.append(f'{id_} = "{digest}"\n')
            if known.get(id_) != digest:
                noted.append(id_)
        lines.append("\n")
    path.write_text("".join(lines).rstrip("\n") + "\n", encoding="utf-8")
    return noted


def digest_claim(table: Mapping[str, Any]) -> str:
    """A digest of the condition and the sentences of a claim, as its file has them."""
    read = {key: table.get(key) for key in ("all", "where", "confirmed", "refuted", "open")}
    text = json.dumps(read, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]


def _read_digests(path: Path) -> dict[str, str]:
    return convert(read_toml(path), dict[str, str], path) if path.exists() else {}


def _list_digests(declared: Declarations) -> dict[str, dict[str, str]]:
    """The digests of the claims by their ids, by the name of the experiment that has any."""
    found = {}
    for name, claims in declared.claims.items():
        if claims:
            tables = read_toml(declared.experiments[name].folder / "claims.toml")["claims"]
            found[name] = {table["id"]: digest_claim(table) for table in tables}
    return found
