"""Several large JSON texts, a thread for each: no pool, so main() must notice if one fails."""

from threading import Thread

from tasks import SIZES, describe, serialize, set_collector, timed


def main() -> None:
    set_collector()
    lengths: list[int] = []

    def work(size: int) -> None:
        lengths.append(serialize(size))

    with timed():
        threads = [Thread(target=work, args=(size,)) for size in SIZES]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if len(lengths) < len(threads):  # the thread itself has only printed its exception
            raise RuntimeError(f"{len(threads) - len(lengths)} of {len(threads)} threads failed")
        print(describe(lengths))


if __name__ == "__main__":
    main()
