"""Move money. Fix it: two transfers at once can lose money or create it."""

from threading import Thread


class Account:
    def __init__(self, name, balance):
        self.name = name
        self.balance = balance


def transfer(source, target, amount):
    """Move the amount if the source has it; return whether it was moved."""
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
    print(anna.balance + boris.balance, "in all, almost always 100")
