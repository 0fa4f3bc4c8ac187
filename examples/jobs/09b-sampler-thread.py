"""The sampler in a thread: it only sleeps, but whenever it wakes up, the crunching holds the GIL."""

from concurrent.futures import ThreadPoolExecutor

from sampler import crunch, report, take_samples
from tasks import timed


def main() -> None:
    with timed(), ThreadPoolExecutor(1) as pool:
        sampling = pool.submit(take_samples)
        crunch()
        print(report(sampling.result()))


if __name__ == "__main__":
    main()
