"""Bounds: what the texts and numbers of a record may be; they are in the published schema too.

Generous, because what breaks one is not read. What depends on two values is in ``records.rules``.
"""

from typing import Annotated

from msgspec import Meta

from scripts.declare.metrics import LONGEST_S

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9.+_-]*$(?!\n)", max_length=200)]
"""What is or may become the name of a file, or a part of an address."""
Line = Annotated[str, Meta(max_length=1000)]
"""As long as a text of a declaration may be: parameters go from there into records."""
Version = Annotated[
    str, Meta(pattern=r"^\d{1,3}\.\d{1,3}\.\d{1,3}[A-Za-z0-9.+-]*$(?!\n)", max_length=100)
]
Count = Annotated[int, Meta(ge=1, le=10_000_000)]
Cores = Annotated[int, Meta(ge=1, le=8192)]
"""At most as many as Linux can be built for."""
Cpu = Annotated[int, Meta(ge=0, lt=8192)]
Seconds = Annotated[float, Meta(gt=0, le=LONGEST_S)]
"""How long a run took."""
Megahertz = Annotated[float, Meta(ge=0, le=100_000)]
Quota = Annotated[float, Meta(gt=0, le=8192)]
Bytes = Annotated[int, Meta(ge=0, le=1 << 50)]
