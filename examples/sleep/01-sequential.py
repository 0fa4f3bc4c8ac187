"""Many waits, one after another: the program idles through the sum of them all."""

from tasks import LATENCIES, timed, wait


def main() -> None:
    with timed():
        waits = [wait(latency) for latency in LATENCIES]
        print(f"{len(waits)} waits")


if __name__ == "__main__":
    main()
