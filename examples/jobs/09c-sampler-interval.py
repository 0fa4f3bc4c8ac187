"""The sampler in a thread, with a short switch interval: the crunching gives up the GIL sooner."""

import sys
from concurrent.futures import ThreadPoolExecutor

from sampler import crunch, report, take_samples
from tasks import timed


def main() -> None:
    sys.setswitchinterval(0.0005)
    with timed(), ThreadPoolExecutor(1) as pool:
        sampling = pool.submit(take_samples)
        crunch()
        print(report(sampling.result()))


if __name__ == "__main__":
    main()
