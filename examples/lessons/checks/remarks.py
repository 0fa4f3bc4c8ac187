"""What a check says of a program, in the reader's language: must, should, by the way, well done."""

import os
from dataclasses import asdict, dataclass

KINDS = {
    "must": {"en": "must", "ru": "обязательно"},
    "should": {"en": "should", "ru": "стоит"},
    "remark": {"en": "by the way", "ru": "кстати"},
    "praise": {"en": "well done", "ru": "отлично"},
}


@dataclass(frozen=True)
class Remark:
    """One thing that a check says; ``trace`` is the schedule that shows it, if there is one."""

    kind: str
    text: str
    trace: dict | None = None

    def to_dict(self):
        return asdict(self)


def set_language(asked=()):
    """Choose the language that was asked for, else that of the system; children inherit it."""
    names = ("LESSONS", "LC_ALL", "LC_MESSAGES", "LANG")
    spoken = next((os.environ[name] for name in names if os.environ.get(name)), "en")
    language = [*asked, "ru" if spoken.startswith("ru") else "en"][0]
    os.environ["LESSONS"] = language


def say(*, en, ru):
    """Return the sentence in the reader's language."""
    return ru if os.environ.get("LESSONS") == "ru" else en


def must(*, en, ru, trace=None):
    """The program is not right, and this is why."""
    return Remark("must", say(en=en, ru=ru), trace and trace.to_dict())


def should(*, en, ru):
    """The program is right, and this would make it better."""
    return Remark("should", say(en=en, ru=ru))


def remark(*, en, ru):
    """Nothing has to change, and this is good to know."""
    return Remark("remark", say(en=en, ru=ru))


def praise(*, en, ru):
    """Name what the program does well."""
    return Remark("praise", say(en=en, ru=ru))
