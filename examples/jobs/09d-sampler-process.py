"""The sampler in its own process: the GIL there is free whenever it wakes up."""

from concurrent.futures import ProcessPoolExecutor

from sampler import crunch, report, take_samples
from tasks import PROCESSES, timed


def main() -> None:
    with timed(), ProcessPoolExecutor(1, mp_context=PROCESSES) as pool:
        sampling = pool.submit(take_samples)
        crunch()
        print(report(sampling.result()))


if __name__ == "__main__":
    main()
