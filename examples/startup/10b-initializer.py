"""main() hands each process the settings that it needs: so they are there, however it started."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES

settings = {"retries": 3}


def read_retries() -> int:
    return settings["retries"]


def main() -> None:
    settings["retries"] = 10  # as the command line has it
    pool = ProcessPoolExecutor(1, PROCESSES, initializer=settings.update, initargs=(settings,))
    with pool:
        in_child = pool.submit(read_retries).result()
    print(f"retries: parent {settings['retries']}, child {in_child}")


if __name__ == "__main__":
    main()
