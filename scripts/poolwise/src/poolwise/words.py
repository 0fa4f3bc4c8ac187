"""Words: everything that the tool says, in English or in Russian.

A ``Message`` is a key and the values for its places; only ``Words`` make a sentence of it. The
catalogues ``words/en.toml`` and ``words/ru.toml`` have a table for each module. A place may say how its
value is written: ``{time:s}`` 28 ms, ``{share:%}`` 12%, ``{ratio:fold}`` twice,
``{ratio:3}`` with three digits, ``{count:item|items}`` 40 items, ``{count:# is|# are}`` 40 are,
``{faults:lines}`` one sentence after the other. Without that a list is written as a, b and c.
"""

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from pathlib import Path
from string import Formatter

CATALOGUES = Path(__file__).with_suffix("")
LANGUAGES = ("en", "ru")
# Variables that name a person's language; the first that is set decides.
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
_UNITS_S = {"seconds": 1.0, "milliseconds": 1e-3, "microseconds": 1e-6}
_GROUPED = 5  # russian sets groups of digits apart from so many digits on


@dataclass(frozen=True, slots=True)
class Message:
    """Something to say: a key such as ``target.no-file``, and the values for its places.

    A value may be a message itself, or a list of messages or texts.
    """

    key: str
    values: Mapping[str, object] = field(default_factory=dict)


class Failed(Exception):
    """A program or function of the user's that failed; the exit status is 1."""

    status = 1

    def __init__(self, message: Message | str, **values: object) -> None:
        """Carry a message, or the one of a key and values."""
        self.message = Message(message, values) if isinstance(message, str) else message
        super().__init__(self.message)

    def __str__(self) -> str:
        """The sentence in English."""
        return Words().say(self.message)


class Refused(Failed):
    """A command that can't be carried out as it was given; the exit status is 2."""

    status = 2


class Undecided(Failed):
    """A question that stays open, and why; the exit status is 3."""

    status = 3


class Words(Formatter):
    """The sentences of one language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._catalogue = read_sentences(language)

    def text(self, key: str, /, **values: object) -> str:
        """The sentence of a key."""
        return self.say(Message(key, values))

    def say(self, message: Message) -> str:
        """The sentence of a message; a key of no catalogue is said as it is."""
        table, _, name = message.key.partition(".")
        phrase = self._catalogue.get(table, {}).get(name)
        return message.key if phrase is None else self.vformat(phrase, (), message.values)

    def format_field(self, value: object, format_spec: str) -> str:
        """Write a value into its place."""
        match value:
            case Message():
                text = self.say(value)
                return text.rstrip(".") if format_spec == "clause" else text
            case int() | float():
                return self._write_number(value, format_spec)
            case list() | tuple():
                return self._join([self.format_field(part, "") for part in value], format_spec)
        return str(value)

    def _join(self, parts: Sequence[str], form: str) -> str:
        if form == "lines":
            return " ".join(parts)
        if len(parts) < 2:
            return "".join(parts)
        return self.text("words.and", first=", ".join(parts[:-1]), last=parts[-1])

    def _write_number(self, value: float, form: str) -> str:
        if "|" in form:
            phrase = form.split("|")[self._find_form(value)]
            number = self._write_digits(value, 2)
            return phrase.replace("#", number) if "#" in phrase else f"{number} {phrase}"
        match form:
            case "s":
                return self._write_seconds(value)
            case "%":
                return self.text("words.percent", number=self._write_digits(value * 100, 2))
            case "fold":
                number = self._write_digits(value, 2)
                spoken: str | None = self._catalogue["words"].get(f"fold-{number}")
                return spoken or self.text("words.fold", ratio=float(f"{value:.2g}"))
        return self._write_digits(value, int(form or 2))

    def _write_seconds(self, value: float) -> str:
        """Seconds in the largest unit that is not larger, of which the smallest comes last."""
        value = float(f"{value:.3g}")  # so that it is 1 s, not 1,000 ms
        unit = next(
            (unit for unit, s in _UNITS_S.items() if value >= s or not value), [*_UNITS_S][-1]
        )
        return self.text(f"words.{unit}", number=self._write_digits(value / _UNITS_S[unit], 3))

    def _write_digits(self, value: float, digits: int) -> str:
        """A number of so many significant digits; a count has all of its own."""
        number = value if isinstance(value, int) else float(f"{value:.{digits}g}")
        text = format(Decimal(str(number)), ",f").removesuffix(".0")  # 150, not 150.0 or 1.5e+02
        if self.language != "ru":
            return text
        whole, _, fraction = text.partition(".")
        gap = "\N{NO-BREAK SPACE}" if len(whole) > _GROUPED else ""
        return whole.replace(",", gap) + (f",{fraction}" if fraction else "")

    def _find_form(self, value: float) -> int:
        """The place of a number's plural form, as CLDR orders them: one, few, many."""
        if self.language != "ru":
            return int(value != 1)
        if value != int(value):
            return 1
        last, teens = value % 10, value % 100
        if last == 1 and teens != 11:
            return 0
        return 1 if 2 <= last <= 4 and not 12 <= teens <= 14 else 2


@cache
def read_sentences(language: str) -> dict[str, dict[str, str]]:
    """The sentences of a language, by table and name."""
    return tomllib.loads((CATALOGUES / f"{language}.toml").read_text(encoding="utf-8"))


def choose_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the person that an environment belongs to, English where it is none of ours."""
    locale = next(filter(None, map(environment.get, VARIABLES)), "")
    return "ru" if locale.startswith("ru") else "en"
