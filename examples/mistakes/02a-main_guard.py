"""Without the guard, a new process runs the program again and tries to start processes itself."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

SPAWN = get_context("spawn")  # the default of Windows and macOS


def count_primes(limit: int) -> int:
    return sum(all(n % k for k in range(2, n)) for n in range(2, limit))


with ProcessPoolExecutor(mp_context=SPAWN) as pool:
    primes = pool.submit(count_primes, 100)
    print(f"{primes.result()} primes")
