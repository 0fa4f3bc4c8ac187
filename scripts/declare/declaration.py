"""Declarations: TOML files of an experiment, read strictly.

Whatever is wrong is told with file, line and key, because the reader of the message is about to
open that file.
"""

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class MalformedDeclaration(ValueError):
    """A declaration file that cannot be used; the message names file, line and key."""


class Declared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what a declaration file may contain: immutable, and no unknown key passes."""


def read_toml(path: Path) -> dict[str, Any]:
    """Parse a TOML file.

    Raises:
        MalformedDeclaration: the file is missing or is not TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise MalformedDeclaration(f"{path}: no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MalformedDeclaration(f"{path}: {error}") from None


def convert(data: object, kind: type[T], path: Path, table: str = "") -> T:
    """Turn parsed data into a typed declaration.

    Args:
        data: what ``read_toml`` gave, or the part of it below ``table``.
        kind: a ``Declared`` subclass, or a container of one.
        path: the file, for messages.
        table: dotted name of the part of the file that ``data`` is, for messages.

    Raises:
        MalformedDeclaration: a key is missing, unknown or of the wrong type.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at ")
        keys = _keys(table) + _keys(place.strip("`").removeprefix("$"))
        named = re.search(r"(?:unknown|required) field `([^`]+)`", message)
        if named:
            keys.append(named.group(1))
        raise MalformedDeclaration(at(path, keys, message)) from None


def at(path: Path, keys: list[str | int], message: str) -> str:
    """``file:line: key: message``, with the line on which the innermost known key stands."""
    line = find_line(path.read_text(encoding="utf-8"), keys)
    name = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys).lstrip(".")
    return f"{path}:{line}: {name}: {message}" if name else f"{path}:{line}: {message}"


def find_line(text: str, keys: list[str | int]) -> int:
    """The line, from 1, where ``keys`` stands in TOML text; of its nearest known parent if absent.

    ``["programs", 2, "workers"]`` is the key ``workers`` of the third ``[[programs]]``.
    """
    best = (0, 1)
    seen: dict[str, int] = {}
    here: list[str | int] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[(\[)?\s*([^\]]+?)\s*\]", line):
            here = _keys(header.group(2))
            if header.group(1):
                name = header.group(2)
                seen[name] = seen.get(name, -1) + 1
                here.append(seen[name])
            candidate = here
        elif key := re.match(r"\s*(\"[^\"]+\"|[\w-]+)\s*=", line):
            candidate = [*here, key.group(1).strip('"')]
        else:
            continue
        shared = _shared_length(candidate, keys)
        if shared == len(candidate) and shared > best[0]:
            best = (shared, number)
    return best[1]


def _keys(dotted: str) -> list[str | int]:
    parts = re.findall(r"\[(\d+)\]|\"([^\"]+)\"|([^.\[\]\"]+)", dotted)
    return [int(index) if index else quoted or plain for index, quoted, plain in parts]


def _shared_length(left: list[str | int], right: list[str | int]) -> int:
    length = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        length += 1
    return length
