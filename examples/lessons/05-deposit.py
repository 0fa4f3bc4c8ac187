"""Pay into one account from many threads. Fix it: a deposit may be lost, though rarely."""

from concurrent.futures import ThreadPoolExecutor


class Account:
    def __init__(self):
        self.balance = 0

    def deposit(self, amount):
        self.balance += amount


if __name__ == "__main__":
    account = Account()
    with ThreadPoolExecutor(8) as pool:
        for _ in pool.map(account.deposit, [1] * 10_000):
            pass
    print("10000 deposits, the balance:", account.balance)
