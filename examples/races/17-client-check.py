"""Create a service's client on first use: threads that ask meanwhile create one too."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, connect, count_tasks, made, report, timed

SERVICES = count_tasks(50)


class Service:
    def __init__(self) -> None:
        self._client = None

    def client(self) -> object:
        if self._client is None:
            self._client = connect("database")
        return self._client


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            for service in (Service() for _ in range(SERVICES)):
                users = [pool.submit(service.client) for _ in range(WORKERS)]
                for user in users:
                    user.result()
        report(SERVICES, "clients", len(made) - SERVICES)


if __name__ == "__main__":
    main()
