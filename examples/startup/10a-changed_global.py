"""main() changes a setting before it starts a process: only a forked child hears of it."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, timed

settings = {"retries": 3}


def read_retries() -> int:
    return settings["retries"]


def main() -> None:
    settings["retries"] = 10  # as the command line has it
    with timed(), ProcessPoolExecutor(1, PROCESSES) as pool:
        in_child = pool.submit(read_retries).result()
        print(f"retries: parent {settings['retries']}, child {in_child}")


if __name__ == "__main__":
    main()
