"""Compute checksums in threads, in C code that releases the GIL."""

import zlib
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter


def checksum(data):
    """Return the Adler-32 checksum of some bytes, as zlib defines it."""
    return zlib.adler32(data)


def checksum_all(files):
    """Return the checksum of the bytes of each file, in order."""
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(checksum, files))


if __name__ == "__main__":
    files = [bytes(range(256)) * 4000] * 4
    start = perf_counter()
    print("one file:", checksum(files[0]))
    print(f"{perf_counter() - start:.3f} s")
    start = perf_counter()
    print("four files in threads:", checksum_all(files))
    print(f"{perf_counter() - start:.3f} s")
