"""A quota of one core: as many processes as WORKERS says."""

from quota import enter_quota
from tasks import PROCESSES, WORKERS, compute


def main() -> None:
    enter_quota(1)
    ready = PROCESSES.Barrier(WORKERS + 1)
    with PROCESSES.Pool(WORKERS, ready.wait) as pool:
        ready.wait()
        compute(pool, WORKERS)


if __name__ == "__main__":
    main()
