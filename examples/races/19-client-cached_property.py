"""cached_property has had no lock since Python 3.12: threads create extra clients."""

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

from tasks import WORKERS, connect, count_tasks, made, report, timed

SERVICES = count_tasks(50)


class Service:
    @cached_property
    def client(self) -> object:
        return connect("database")


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            for service in (Service() for _ in range(SERVICES)):
                users = [pool.submit(getattr, service, "client") for _ in range(WORKERS)]
                for user in users:
                    user.result()
        report(SERVICES, "clients", len(made) - SERVICES)


if __name__ == "__main__":
    main()
