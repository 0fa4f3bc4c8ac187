"""With the guard, a new process only takes the definitions from the program and waits for work."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter

SPAWN = get_context("spawn")  # the default of Windows and macOS


def count_primes(limit: int) -> int:
    return sum(all(n % k for k in range(2, n)) for n in range(2, limit))


def main() -> None:
    with ProcessPoolExecutor(mp_context=SPAWN) as pool:
        primes = pool.submit(count_primes, 100)
        print(f"{primes.result()} primes")


if __name__ == "__main__":
    start = perf_counter()
    main()
    print(f"time {perf_counter() - start:.6f} s")
