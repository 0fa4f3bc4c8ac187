"""The machine: where programs run, described by the system itself, never by a guess."""

import hashlib
import platform
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from scripts.host.bounds import Bytes, Cores, Cpu, Line, Megahertz, Name, Quota
from scripts.host.cores import ROOT
from scripts.host.facts import Cache, read_linux, read_macos
from scripts.host.pair import Pair

GIB = 1 << 30

_NOISE = re.compile(r"\((r|tm)\)|@.*|\b(cpu|processor|\d+-core)\b", re.IGNORECASE)

# What of a machine makes it that machine. The kernel and the frequency change on the same one.
_OLD_IDENTITY = (
    *("cpu_model", "architecture", "logical_cores", "physical_cores", "smt", "affinity"),
    *("quota_cores", "system", "virtualisation", "container", "governor"),
)
# Clouds give processors of several generations one name: what they are built like tells them apart.
_IDENTITY = (*_OLD_IDENTITY, "cpu_signature", "caches")


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The machine and the limits that we run under.

    ``id`` stays the same from boot to boot. ``cpu_signature`` is what the processor says of its
    design, in the words of the system, ``None`` where it says nothing. ``smt`` is the number of threads a core has,
    ``affinity`` the CPU ids allowed to us, ``quota_cores`` how many CPUs' time the control group
    grants (``None``: no limit), ``cgroup`` the version of control groups that said so.
    ``cpu_mhz`` is the frequency at the moment of reading. ``pair`` is of the last day on which
    anything was measured; records older than it have none.
    """

    id: Name
    cpu_model: Line | None
    architecture: Line
    byte_order: Literal["little", "big"]
    logical_cores: Cores
    physical_cores: Cores | None
    smt: Cores | None
    cpu_mhz: Megahertz | None
    frequency_boost: bool | None
    governor: Line | None
    caches: Annotated[tuple[Cache, ...], Meta(max_length=100)]
    affinity: Annotated[tuple[Cpu, ...], Meta(min_length=1, max_length=8192)] | None
    quota_cores: Quota | None
    cgroup: Literal["v1", "v2"] | None
    memory_bytes: Bytes
    swap_bytes: Bytes | None
    system: Line
    os: Line
    kernel: Line
    libc: Line | None
    virtualisation: Literal["none", "virtual machine"] | None
    hypervisor: Line | None
    container: Line | None
    cpu_signature: Line | None = None
    pair: Pair | None = None

    @property
    def has_own_id(self) -> bool:
        """Whether the id is what these facts make.

        Machines described before ``cpu_signature`` was keep the id that they had then.
        """
        old_id = None if self.cpu_signature else make_id(self, _OLD_IDENTITY)
        return self.id in (make_id(self), old_id)

    @property
    def model(self) -> str:
        """The processor without what its name says of cores, frequency and trade marks."""
        return " ".join(_NOISE.sub(" ", self.cpu_model or "unknown").split())

    @property
    def granted_cores(self) -> float | None:
        """How many cores' time is granted, where that is not all of the machine's."""
        allowed = len(self.affinity) if self.affinity else self.logical_cores
        granted = min(allowed, self.quota_cores or allowed)
        return granted if granted < self.logical_cores else None


def describe_machine(root: Path = ROOT) -> Machine:
    """Describe the machine at hand. ``root`` is where /proc and /sys are found."""
    facts = read_macos() if sys.platform == "darwin" else read_linux(root)
    machine = Machine(
        id="",  # made of the rest
        architecture=platform.machine(),
        byte_order=sys.byteorder,
        system=platform.system(),
        kernel=platform.release(),
        **facts,
    )
    return replace(machine, id=make_id(machine))


def make_id(machine: Machine, identity: Sequence[str] = _IDENTITY) -> str:
    """A slug such as ``amd-epyc-2c-24g-linux-kvm-ab12cd``, or ``…-1of2c-…`` where it is limited.

    Memory counts in whole GiB, rounded up, because kernels differ in the megabytes that they keep
    for themselves. The last part is a digest of everything that makes the machine.
    """
    granted = machine.granted_cores
    cores = f"{granted:g}of{machine.logical_cores}c" if granted else f"{machine.logical_cores}c"
    memory_gib = -(-machine.memory_bytes // GIB)
    metal = "metal" if machine.virtualisation == "none" else "unknown"
    place = machine.hypervisor or machine.container or metal
    facts = [memory_gib, *(getattr(machine, name) for name in identity)]
    digest = hashlib.sha256(repr(facts).encode()).hexdigest()[:6]
    words = [machine.model, cores, f"{memory_gib}g", machine.system, place, digest]
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")
