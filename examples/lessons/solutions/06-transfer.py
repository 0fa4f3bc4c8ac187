"""Move money between accounts: both are locked, always in the same order."""

from threading import RLock, Thread


class Account:
    def __init__(self, name, balance):
        self.name = name
        self.balance = balance
        self.lock = RLock()  # its holder may take it again, unlike a Lock


def transfer(source, target, amount):
    """Move the amount if the source has it; return whether it was moved."""
    # Any order will do, if all transfers keep to it.
    first, second = sorted((source, target), key=id)
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True


if __name__ == "__main__":
    anna, boris = Account("Anna", 50), Account("Boris", 50)
    threads = [
        Thread(target=transfer, args=(anna, boris, 10)),
        Thread(target=transfer, args=(boris, anna, 10)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(anna.balance + boris.balance, "in all, in any order 100")
