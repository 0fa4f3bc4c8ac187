"""Hash and compress files in a loop: one core works, whatever the machine has."""

import hashlib
import zlib
from random import Random

FILES = [Random(number).randbytes(1_000_000).hex().encode() for number in range(20)]


def pack(data: bytes) -> tuple[str, bytes]:
    """Return the SHA-256 of the data, and the data compressed."""
    return hashlib.sha256(data).hexdigest(), zlib.compress(data)


def main() -> None:
    packed = [pack(data) for data in FILES]
    print(f"{len(packed)} files packed, the first has SHA-256 {packed[0][0][:12]}")


if __name__ == "__main__":
    main()
