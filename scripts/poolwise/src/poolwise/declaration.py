"""Declarations: files of an experiment or of the site, read strictly.

Whatever is wrong is a ``MalformedDeclaration``: a sentence a fault, with file, line and key, because
the reader of the message is about to open that file.
"""

import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta, inspect

ID = r"^[a-z0-9]+(-[a-z0-9]+)*\Z"
FAMILY = r"^[a-z0-9]+([+-][a-z0-9]+)*\Z"
PROGRAM = r"^[0-9A-Za-z][0-9A-Za-z_+-]{0,99}\.py\Z"
FILE_NAME = r"^[0-9A-Za-z][0-9A-Za-z_.+-]{0,99}\Z"
READING = r"^[a-z][a-z0-9_]*\Z"
Way = Literal["sequential", "threads", "processes", "interpreters", "coroutines", "greenlets"]
_WAY = f"({'|'.join(get_args(Way)[1:])})"
KIND = rf"^(sequential|(?!.*\b(\w+)\b.*\b\2\b){_WAY}( \+ {_WAY})*)\Z"
VERSION = r"^\d\.\d{1,2}\Z"
# Words of a message for what the patterns ask for.
MEANINGS = {
    ID: "lower-case words joined by hyphens",
    FAMILY: "lower-case words joined by hyphens or plus signs",
    PROGRAM: "the name of a .py file in the experiment's own folder",
    FILE_NAME: "the name of a file in the experiment's own folder",
    READING: "lower-case letters, digits and underscores",
    KIND: f"one of {', '.join(get_args(Way))}, or several but the first, each once, with ' + ' between",
    VERSION: "a minor version such as 3.13",
}

Count = Annotated[int, Meta(ge=1, le=100_000_000)]
Margin = Annotated[float, Meta(ge=1, le=1000)]
# A number in a metric's own unit. It is compared by ratio, so it cannot be zero.
Quantity = Annotated[float, Meta(gt=0, le=1e15)]
Id = Annotated[str, Meta(pattern=ID, max_length=100)]
FamilyName = Annotated[str, Meta(pattern=FAMILY, max_length=100)]
ProgramFile = Annotated[str, Meta(pattern=PROGRAM)]
SharedFile = Annotated[str, Meta(pattern=FILE_NAME)]
Reading = Annotated[str, Meta(pattern=READING, max_length=100)]
Version = Annotated[str, Meta(pattern=VERSION)]


_Ending = Literal["could-not-start", "timed-out", "killed", "exited", "no-error", "ended"]
_Output = Literal["did-not-say", "other-result", "no-number", "wrong-clock", "cannot-here"]
_Python = Literal["gil-back-on", "needs-python", "needs-gil", "needs-cores", "wrong-system"]
_Package = Literal[
    "no-wheel", "package-broken", "package-needs-gil", "not-fetched", "needs-internet"
]
_Cell = Literal["left-out", "measuring-off", "another-machine", "not-measured"]
_Compared = Literal[
    "disturbed",
    "despite-others",
    "other-size",
    "one-size",
    "too-few-trials",
    "too-close",
    "sessions-differ",
    "no-metric",
]
_Rest = Literal["left-processes", "nothing-at-all", "needs-ordinary-python"]
Code = Literal[_Ending, _Output, _Python, _Package, _Cell, _Compared, _Rest]

# The parameters of a code; of others there are none.
PLACES: Mapping[Code, frozenset[str]] = {
    "could-not-start": frozenset({"error"}),
    "timed-out": frozenset({"after_s"}),
    "killed": frozenset({"signal"}),
    "exited": frozenset({"code"}),
    "did-not-say": frozenset({"says"}),
    "other-result": frozenset({"printed", "expected"}),
    "no-number": frozenset({"name", "printed"}),
    "wrong-clock": frozenset({"printed_s", "took_s"}),
    "cannot-here": frozenset({"says"}),
    "no-wheel": frozenset({"package"}),
    "package-broken": frozenset({"package", "error"}),
    "package-needs-gil": frozenset({"package"}),
    "not-fetched": frozenset({"package"}),
    "wrong-system": frozenset({"system"}),
    "needs-python": frozenset({"since"}),
    "disturbed": frozenset({"taken", "cores"}),
    "despite-others": frozenset({"taken", "cores"}),
}
LONGEST = 2000  # characters of a parameter

Param = Annotated[str, Meta(max_length=LONGEST)] | float


class Reason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a trial did not do its work, or a cell or a check has nothing to show.

    ``ValueError`` where a parameter is missing, or is none of the code's.
    """

    code: Code
    params: Mapping[str, Param] = {}

    def __post_init__(self) -> None:
        if self.params.keys() != PLACES.get(self.code, frozenset()):
            raise ValueError(f"the reason {self.code!r} has other parameters")

    def __str__(self) -> str:
        """For whoever watches a build: ``exited (code 1)``."""
        code = self.code.replace("-", " ")
        params = ", ".join(f"{name} {value}" for name, value in self.params.items())
        return f"{code} ({params})" if params else code


Kind = TypeVar("Kind")
# Where something stands: `["programs", 2, "workers"]` is in the third `[[programs]]`.
Keys = list[str | int]
Problem = tuple[Keys, str]  # where something stands, and what is wrong with it

# A step of `$.all[0].relation`, the way to a fault in msgspec's words.
_STEP = re.compile(r"\[[^]]*\]|\.[^.[`]+")
_HEADER = re.compile(r"\s*\[(\[?)([^]]+)\]\]?\s*(#.*)?$")
_KEY = re.compile(r"\s*([^=#[{]+?)\s*=")
LONGEST_DECLARED = 2000
_BLANKS = "\u00a0\u2009\u202f"  # spaces of typography, which Python does not call printable


class MalformedDeclaration(ValueError):
    """A declaration file that cannot be used; each line of the message names file, line and key."""


class Declared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what a declaration file may contain: immutable, and no unknown key passes."""


def read_text(path: Path) -> str:
    """The text of a file of UTF-8 without its byte-order mark, with the ends of lines that Unix has."""
    try:
        data = path.read_bytes()
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise MalformedDeclaration(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise MalformedDeclaration(f"{path}:{line}: not UTF-8") from None


def read_toml(path: Path) -> dict[str, Any]:
    """Parse a TOML file that holds nothing which no declaration can mean."""
    text = read_text(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MalformedDeclaration(f"{path}: {error}") from None
    refuse(path, find_unfit(data, []))
    return data


def convert(data: object, kind: type[Kind], path: Path, table: str = "") -> Kind:
    """Turn parsed data, the part of a file below the dotted ``table``, into a typed declaration.

    What is wrong in several tables of an array, such as ``[[programs]]``, is told of each.
    """
    faults: list[str] = []
    numbers: dict[str, list[int]] = {}  # of the tables of an array that are left of it
    while True:
        try:
            declared = msgspec.convert(data, kind)
        except msgspec.ValidationError as error:
            keys, message = _describe(error, kind)
        else:
            break
        place: Keys = keys
        match keys:
            case [str(array), int(number), *rest] if isinstance(data, dict):
                # The rest of the array is read without the table of this fault.
                left = [*data[array][:number], *data[array][number + 1 :]]
                data = data | {array: left}
                place = [array, numbers.setdefault(array, list(range(len(left) + 1))).pop(number)]
                place += rest
            case _:
                data = None
        faults.append(at(path, _keys(table) + place, message))
        if data is None:
            break
    if faults:
        raise MalformedDeclaration("\n".join(faults))
    return declared


def _describe(error: msgspec.ValidationError, kind: type[object]) -> Problem:
    """Say in our words where msgspec has found what."""
    message, _, place = str(error).partition(" - at ")
    keys = _keys(place.strip("`").removeprefix("$"))
    if field := re.search(r"(?:unknown|required) field `([^`]+)`", message):
        keys.append(field[1])
    for pattern, meaning in MEANINGS.items():
        message = message.replace(f"`str` matching regex {pattern!r}", meaning)
    if message.startswith("Invalid enum value"):
        steps = _STEP.findall(place)
        if place.startswith("`key` in"):
            steps.append("key")
        possible = _list_possible(inspect.type_info(kind), steps)
        message += f"; there are {', '.join(map(repr, possible))}"
    return keys, message


def _list_possible(kind: inspect.Type, steps: Sequence[object]) -> Sequence[object]:
    """List what may stand where the steps lead from a type, if only some values may stand there."""
    match kind, *steps:
        case (inspect.LiteralType(values=values),):
            return values
        case inspect.Metadata(type=inner), *_:
            return _list_possible(inner, steps)
        case inspect.UnionType(types=types), *_:
            return next(filter(None, (_list_possible(inner, steps) for inner in types)), ())
        case inspect.DictType(key_type=inner), "key":
            return _list_possible(inner, ())
        case inspect.DictType(value_type=inner) | inspect.CollectionType(item_type=inner), _, *rest:
            return _list_possible(inner, rest)
        case inspect.StructType(fields=fields), step, *rest:
            for field in fields:
                if f".{field.encode_name}" == step:
                    return _list_possible(field.type, rest)
    return ()


def refuse(
    path: Path, problems: Iterable[Problem], place: Sequence[str | int] = (), name: str = ""
) -> None:
    """Tell all that is wrong in a file, or at a place in it, a line each; ``name`` says of what."""
    subject = f"{name}: " if name else ""
    if faults := [at(path, [*place, *keys], subject + message) for keys, message in problems]:
        raise MalformedDeclaration("\n".join(dict.fromkeys(faults)))


def at(path: Path, keys: Keys, message: str) -> str:
    """``file:line: key: message``, with the line on which the innermost known key stands."""
    name = ""
    for key in keys:
        if isinstance(key, int):
            name += f"[{key}]"
        else:
            name += f".{key}" if re.fullmatch(r"[\w+-]+", key) else f".{key!r}"
    place = f"{path}:{find_line(read_text(path), keys)}: "
    return f"{place}{name.removeprefix('.')}: {message}" if name else place + message


def find_line(text: str, keys: Keys) -> int:
    """The line, from 1, where ``keys`` stands in TOML text; of its nearest known parent if absent."""
    lines: dict[tuple[str | int, ...], int] = {(): 1}
    last: dict[tuple[str | int, ...], tuple[int]] = {}  # the place in each array of tables
    table: tuple[str | int, ...] = ()
    for number, line in enumerate(text.split("\n"), start=1):
        place = table
        if header := _HEADER.match(line):
            table = ()
            for key in _keys(header[2]):
                table += (*last.get(table, ()), key)
            if header[1]:
                last[table] = (last[table][0] + 1 if table in last else 0,)
                table += last[table]
            place = table
        elif key_match := _KEY.match(line):
            place = (*table, *_keys(key_match[1]))
        for end in range(1, len(place) + 1):
            lines.setdefault(place[:end], number)
    while tuple(keys) not in lines:
        keys = keys[:-1]
    return lines[tuple(keys)]


def find_unfit(value: object, keys: Keys) -> Iterator[Problem]:
    """Numbers that count nothing, strings that no page can show, lists that repeat themselves."""
    match value:
        case dict():
            for key, inner in value.items():
                yield from find_unfit(inner, [*keys, key])
        case list():
            plain = [item for item in value if isinstance(item, str | int)]
            if len(set(plain)) < len(plain):
                yield keys, "something stands here twice"
            for place, inner in enumerate(value):
                yield from find_unfit(inner, [*keys, place])
        case str() if len(value) > LONGEST_DECLARED:
            yield keys, f"longer than {LONGEST_DECLARED} characters"
        case str():
            for sign in value:
                if not (sign.isprintable() or sign in _BLANKS):
                    yield keys, f"a character that cannot be seen, U+{ord(sign):04X}"
                    break
        case float() if not math.isfinite(value):
            yield keys, f"{value} is no number to count with"


def _keys(dotted: str) -> Keys:
    parts = re.findall(r"\[(\d+)\]|([\"'])(.+?)\2|([^.\[\]\"']+)", dotted)
    return [int(index) if index else quoted or plain for index, _, quoted, plain in parts]
