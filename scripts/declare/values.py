"""Values: what the numbers and names of a declaration may be."""

from typing import Annotated

from msgspec import Meta

ID = r"^[a-z0-9]+(-[a-z0-9]+)*\Z"
FAMILY = r"^[a-z0-9]+([+-][a-z0-9]+)*\Z"
PROGRAM = r"^[0-9A-Za-z][0-9A-Za-z_+-]{0,99}\.py\Z"
FILE = r"^[0-9A-Za-z][0-9A-Za-z_.+-]{0,99}\Z"
READING = r"^[a-z][a-z0-9_]*\Z"
VERSION = r"^\d\.\d{1,2}\Z"
MEANINGS = {
    ID: "lower-case words joined by hyphens",
    FAMILY: "lower-case words joined by hyphens or plus signs",
    PROGRAM: "the name of a .py file in the experiment's own folder",
    FILE: "the name of a file in the experiment's own folder",
    READING: "lower-case letters, digits and underscores",
    VERSION: "a minor version such as 3.13",
}
"""What the patterns ask for, in the words of a message."""

Count = Annotated[int, Meta(ge=1, le=10_000_000)]
MOST_TRIALS = 60
"""Of one session: ``records.row.MOST_TRIALS`` is for three."""
Trials = Annotated[int, Meta(ge=1, le=MOST_TRIALS)]
MemoryTrials = Annotated[int, Meta(ge=0, le=MOST_TRIALS)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
Share = Annotated[float, Meta(ge=0, le=1)]
Margin = Annotated[float, Meta(ge=1, le=1000)]
Quantity = Annotated[float, Meta(gt=0, le=1e15)]
"""A number in a metric's own unit. It is compared by ratio, so it cannot be zero."""
Id = Annotated[str, Meta(pattern=ID, max_length=100)]
FamilyName = Annotated[str, Meta(pattern=FAMILY, max_length=100)]
ProgramFile = Annotated[str, Meta(pattern=PROGRAM)]
SharedFile = Annotated[str, Meta(pattern=FILE)]
Reading = Annotated[str, Meta(pattern=READING, max_length=100)]
Version = Annotated[str, Meta(pattern=VERSION)]


def read_version(text: str) -> tuple[int, ...]:
    """A version as numbers, which order as versions do: ``3.9`` comes before ``3.13``."""
    return tuple(map(int, text.split(".")))
