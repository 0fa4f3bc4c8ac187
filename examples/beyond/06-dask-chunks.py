"""The same Dask cluster with a hundred tasks in one: the scheduler has less to note."""

from time import perf_counter

from distributed import Client, LocalCluster
from tasks import LENGTHS, WORKERS, compute_chunk, timed, wake_up

CHUNK = 100


def main() -> None:
    begun = perf_counter()
    chunks = [LENGTHS[start : start + CHUNK] for start in range(0, len(LENGTHS), CHUNK)]
    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        client.gather(client.map(wake_up, range(WORKERS)))
        with timed(begun):
            computed = client.gather(client.map(compute_chunk, chunks, pure=False))
            results = [result for chunk in computed for result in chunk]
            print(f"{len(results)} tasks computed")


if __name__ == "__main__":
    main()
