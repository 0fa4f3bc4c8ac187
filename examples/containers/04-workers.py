"""One core is allowed: as many processes as it is told."""

from tasks import PROCESSES, WORKERS, allow_one_core, compute


def main() -> None:
    allow_one_core()
    ready = PROCESSES.Barrier(WORKERS + 1)
    with PROCESSES.Pool(WORKERS, ready.wait) as pool:
        ready.wait()
        compute(pool, WORKERS)


if __name__ == "__main__":
    main()
