"""Pay into one account from many threads."""

from concurrent.futures import ThreadPoolExecutor
from threading import Lock


class Account:
    def __init__(self):
        self.balance = 0
        self.guard = Lock()

    def deposit(self, amount):
        with self.guard:
            self.balance += amount


if __name__ == "__main__":
    account = Account()
    with ThreadPoolExecutor(8) as pool:
        for _ in pool.map(account.deposit, [1] * 10_000):
            pass
    print("10000 deposits, the balance:", account.balance)
