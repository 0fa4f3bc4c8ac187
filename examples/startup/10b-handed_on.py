"""main() hands its settings to each process: so they are there, however it was started."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, timed

settings = {"retries": 3}


def receive(handed: dict[str, int]) -> None:
    settings.update(handed)


def read_retries() -> int:
    return settings["retries"]


def main() -> None:
    settings["retries"] = 10  # as the command line has it
    pool = ProcessPoolExecutor(1, PROCESSES, initializer=receive, initargs=(settings,))
    with timed(), pool:
        in_child = pool.submit(read_retries).result()
        print(f"retries: parent {settings['retries']}, child {in_child}")


if __name__ == "__main__":
    main()
