"""Hash and compress files on all cores: threads are enough, because hashlib and zlib release the GIL."""

import hashlib
import os
import zlib
from concurrent.futures import ThreadPoolExecutor
from random import Random

FILES = [Random(number).randbytes(1_000_000).hex().encode() for number in range(20)]


def pack(data: bytes) -> tuple[str, bytes]:
    """Return the SHA-256 of the data, and the data compressed."""
    return hashlib.sha256(data).hexdigest(), zlib.compress(data)


def main() -> None:
    cores = getattr(os, "process_cpu_count", os.cpu_count)()  # process_cpu_count: Python 3.13
    with ThreadPoolExecutor(cores) as pool:
        packed = list(pool.map(pack, FILES))
    print(f"{len(packed)} files packed, the first has SHA-256 {packed[0][0][:12]}")


if __name__ == "__main__":
    main()
