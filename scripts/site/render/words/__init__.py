"""Words: what generated blocks say in a language, and how it writes numbers, units and dates.

A language is one ``<language>.toml`` beside this file; numbers, dates and plural categories are
those of CLDR, by Babel.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal, localcontext
from functools import cache, lru_cache
from typing import Any

from babel import Locale
from babel.dates import format_date
from babel.numbers import format_decimal, format_percent
from markupsafe import Markup

from poolwise.declaration import MalformedDeclaration, Reason
from poolwise.metrics import find_unit
from scripts.site.declare.texts import Terms, locate_catalogue, read_catalogue

KIB = 1 << 10
MIB = 1 << 20
GIB = 1 << 30
MOST_DIGITS = 100
"""The digits of any number that can have been recorded; of more than 28 Babel has to be told."""
NBSP = "\N{NO-BREAK SPACE}"
SI_UNITS = ("ns", "µs", "μs", "ms", "s", "min", "[kKMGT]i?B")
"""The units of time and memory that any language may have, as regular expressions."""
SHORT_S, SHORTEST_S = 0.1, 1e-4
"""The times below which milliseconds and microseconds are told: more decimals nobody reads."""


@dataclass(frozen=True, slots=True)
class Words:
    """One language: ``catalogue`` is its file, ``terms`` what experiments add to it.

    ``namesakes`` are the processors that more than one machine with records has.

    A method that looks up a word raises ``MalformedDeclaration`` if there is none.
    """

    language: str
    catalogue: dict[str, Any]
    terms: Terms = field(default_factory=dict)
    namesakes: frozenset[str] = frozenset()

    @property
    def locale(self) -> Locale:
        """The CLDR locale by which it writes numbers, dates and plurals."""
        return _parse_locale(self._find("locale"))

    def text(self, key: str, **places: str) -> str:
        """A phrase with its places filled."""
        phrase: str = self._find("text", key)
        return phrase.format(**places) if places else phrase

    def texts(self, *keys: str) -> list[str]:
        """Phrases that have no places, such as the heads of a table."""
        return [self.text(key) for key in keys]

    def markup(self, key: str, **places: str) -> Markup:
        """A phrase that is HTML; of what fills its places, only Markup is."""
        phrase: str = self._find("markup", key)
        return Markup(phrase).format(**places)  # noqa: S704 - our own catalogue

    def term(self, group: str, key: str) -> str:
        """A word of a group such as ``verdict``, or a term of an experiment."""
        declared = self.terms.get(group, {}).get(key)
        word: str = self.choose(declared) if declared else self._find(group, key)
        return word

    def term_if_known(self, group: str, key: str) -> str:
        """A word for what a machine or a program says; else that, as it is."""
        term: str = self.catalogue[group].get(key, key)
        return term

    def metric(self, name: str) -> str:
        """Name a metric; a reading without a word is called as its program calls it."""
        return self.term_if_known("metric", name)

    def value(self, metric: str, value: float) -> str:
        """A value that was chosen, not measured, in the unit of a metric; of a reading, alone."""
        match find_unit(metric):
            case "s":
                scale, name = choose_seconds(value)
                return self.measure(self.plain(value / scale), name)
            case "CPU s":
                return self.text("cpu_seconds", time=self.measure(self.plain(value), "s"))
            case "cores":
                return self.percent(value)
            case "bytes":
                return self.memory(value)
            case "times":
                return self.plain(value)

    def reason(self, reason: Reason | None) -> str:
        """Tell why there is nothing to show, if for a reason."""
        if reason is None:
            return ""
        phrase: str = self._find("reason", reason.code)
        places = dict(reason.params)
        for name, value in reason.params.items():
            if not isinstance(value, str):
                places[name] = self.plain(value)
        return phrase.format(**places)

    def choose(self, texts: Mapping[str, str]) -> str:
        """Choose this language's text of several that a declaration has; numbers keep their units."""
        units = _join_units(tuple(self._find("quantity", "units")))
        return units.sub(NBSP, texts[self.language])

    def count(self, key: str, n: float, decimals: int | None = None) -> str:
        """A number with its noun in the plural form that the language wants; they do not part.

        It has as many decimals as it needs, or exactly so many: ``2.0`` is a fraction.
        """
        number = self.plain(n) if decimals is None else self.number(n, decimals)
        return self._choose_form(key, n, decimals).format(n=number)

    def count_several(self, key: str, numbers: Sequence[float]) -> str:
        """Numbers with the noun of the last: ``1,000 and 100 URLs``; of more than two the ends, ``1–8 cores``."""
        last = max(numbers) if len(numbers) > 2 else numbers[-1]
        return self._choose_form(key, last).format(n=self.several(numbers))

    def several(self, numbers: Sequence[float]) -> str:
        """A number, ``20 and 50``, or of more than two the ends."""
        if len(numbers) > 2:
            return f"{self.plain(min(numbers))}\N{EN DASH}{self.plain(max(numbers))}"
        first, *second = map(self.plain, numbers)
        return self.text("both", first=first, second=second[0]) if second else first

    def _choose_form(self, key: str, n: float, decimals: int | None = None) -> str:
        forms: dict[str, str] = self._find("plural", key)
        if decimals is None:
            decimals = 0 if n == int(n) else 3
        digits = Decimal(f"{round(n, decimals):.{max(decimals, 0)}f}")
        phrase = forms.get(self.locale.plural_form(digits), forms["other"])
        return phrase.replace("{n} ", "{n}" + NBSP)

    def fold(self, factor: float, decimals: int | None = None, *, way: str = "") -> str:
        """Tell how many times as much, as people say it: ``twice``, ``1.3 times``; or so which ``way``.

        It has exactly so many decimals, if any are given, but none where it is a whole number.
        """
        forms: dict[str, str] = self._find(f"fold_{way}" if way else "fold")
        if decimals is not None:
            factor = round(factor, decimals)
        if float(factor).is_integer():
            decimals = None
        times = self.count("factor" if way else "times", factor, decimals)
        return forms.get(f"{factor:g}", forms["other"]).format(times=times)

    def number(self, value: float, decimals: int) -> str:
        """A number with exactly so many decimals; if negative, so many noughts before the point."""
        if decimals < 0:
            value, decimals = round(value, decimals), 0
        return self._format(value, "." + "0" * decimals if decimals else "")

    def plain(self, value: float) -> str:
        """A constant, with no more decimals than it needs."""
        return self._format(value, ".###")

    def measure(self, number: str, unit: str) -> str:
        """``1.75 s``, with a space that does not break."""
        return f"{number}{NBSP}{self.term('unit', unit)}"

    def seconds(self, value: float, decimals: int) -> str:
        """``1.75 s``."""
        return self.measure(self.number(value, decimals), "s")

    def percent(self, share: float) -> str:
        """A share as whole per cent."""
        return format_percent(share, locale=self.locale)

    def memory(self, size_bytes: float) -> str:
        """Binary kibibytes, mebibytes or gibibytes."""
        size, unit = choose_bytes(size_bytes)
        decimals = int(unit != "KiB" and (unit == "GiB" or size_bytes < 10 * size))
        return self.measure(self.number(size_bytes / size, decimals), unit)

    def dates(self, first: date, last: date) -> str:
        """From one day to another: ``27–28 November 2026``."""
        begin, end = self.date(first), self.date(last)
        if begin == end:
            return end
        for same, pattern in (("%Y %m", "d"), ("%Y", "d MMMM")):
            if first.strftime(same) == last.strftime(same):
                begin = format_date(first, pattern, locale=self.locale)
                break
        dash = "\N{EN DASH}" if begin.isdecimal() else " \N{EN DASH} "
        return f"{begin}{dash}{end}"

    def date(self, moment: date) -> str:
        """A day in full."""
        return format_date(moment, "long", locale=self.locale)

    def add(self, terms: Terms, namesakes: frozenset[str] = frozenset()) -> "Words":
        """The same language with what experiments name in it, and processors that do not name a machine."""
        return replace(self, terms=terms, namesakes=namesakes)

    def _format(self, value: float, fraction: str) -> str:
        whole = "#,##0" if abs(value) >= self._find("grouped_from") else "0"
        return _format(value or 0, whole + fraction, self.locale)

    def _find(self, *keys: str) -> Any:  # noqa: ANN401 - a word, or the forms of one
        term: Any = self.catalogue
        for key in keys:
            if key not in term:
                path = locate_catalogue(self.language)
                raise MalformedDeclaration(f"{path}: no word {'.'.join(keys)!r}")
            term = term[key]
        return term


def choose_bytes(size_bytes: float) -> tuple[int, str]:
    """The unit in which a size is told, and what it is called."""
    if size_bytes < MIB:
        return KIB, "KiB"
    return (MIB, "MiB") if size_bytes < GIB else (GIB, "GiB")


def choose_seconds(time_s: float) -> tuple[float, str]:
    """The unit in which a time is told, and what it is called."""
    if 0 < time_s < SHORTEST_S:
        return 1e-6, "µs"
    return (1e-3, "ms") if 0 < time_s < SHORT_S else (1, "s")


def capitalise(text: str) -> str:
    """A phrase as the beginning of a sentence; a name from code or with a digit, as ``p99``, stays."""
    is_code = any(mark in text.partition(" ")[0] for mark in "._(0123456789")
    return text if is_code else text[:1].upper() + text[1:]


_parse_locale = cache(Locale.parse)


@cache
def _join_units(units: tuple[str, ...]) -> re.Pattern[str]:
    """Find the spaces that somebody typed between a number and its unit."""
    return re.compile(rf"(?<=\d) (?=(?:%|(?:{'|'.join((*SI_UNITS, *units))})(?!\w)))")


@lru_cache(maxsize=1 << 16)
def _format(value: float, pattern: str, locale: Locale) -> str:
    """A number as Babel writes it, which takes long; a page tells most of its numbers again."""
    with localcontext(prec=MOST_DIGITS):
        return format_decimal(value, pattern, locale=locale)


@cache
def load_words(language: str) -> Words:
    """The words of a language."""
    return Words(language, read_catalogue(language))
