"""A Dask cluster on this machine: each task goes over TCP and past a scheduler."""

from time import perf_counter

from distributed import Client, LocalCluster
from tasks import LENGTHS, WORKERS, compute, timed, wake_up


def main() -> None:
    begun = perf_counter()
    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        client.gather(client.map(wake_up, range(WORKERS)))
        with timed(begun):
            # Equal calls of what is pure would be one task.
            results = client.gather(client.map(compute, LENGTHS, pure=False))
            print(f"{len(results)} tasks computed")


if __name__ == "__main__":
    main()
