"""Two transfers at once between accounts, in all orders with few switches."""

from checks.remarks import must, praise, remark, say, should
from checks.schedule import Run, name_locks, take_over_locks, try_orders, watch

take_over_locks()  # before the program is imported

ONE, OTHER = say(en="thread 1", ru="поток 1"), say(en="thread 2", ru="поток 2")


class Bank:
    """Accounts with these balances, and transfers between them, each in a thread."""

    def __init__(self, program, balances, *transfers):
        self.program, self.balances = program, balances
        self.transfers = dict(zip((ONE, OTHER), transfers, strict=False))

    def open(self):
        """Make the accounts anew; return what each thread does, by its name."""
        name_locks(self.program)
        self.accounts, self.moved = {}, {}
        for name, balance in self.balances.items():
            account = self.program.Account(name, balance)
            self.accounts[name] = watch(account, name, quiet=("name",))
        return {thread: lambda thread=thread: self.transfer(thread) for thread in self.transfers}

    def transfer(self, thread):
        source, target, amount = self.transfers[thread]
        source, target = self.accounts[source], self.accounts[target]
        self.moved[thread] = self.program.transfer(source, target, amount)

    def read_balances(self):
        return {name: account.balance for name, account in self.accounts.items()}


def describe_stuck(run):
    if not run.stuck:
        return ""
    waits = ", ".join(f"{actor.name}: {actor.lock.name}" for actor in run.stuck)
    return say(en=f"in this order nobody goes on, a deadlock. Waiting for a lock: {waits}",
               ru=f"в таком порядке никто не идёт дальше, это взаимная блокировка. Ждут замка: {waits}")  # fmt: skip


def make_finder(bank, expected, why):
    """Return a function that says what is wrong with a run that is over, or nothing."""

    def find_fault(run):
        if run.errors:
            raise next(iter(run.errors.values()))
        if fault := describe_stuck(run):
            return fault
        balances = bank.read_balances()
        moved = sum(map(bool, bank.moved.values()))
        now = ", ".join(f"{name} {balance}" for name, balance in balances.items())
        if (balances, moved) == expected:
            return ""
        return say(en=f"{why}. In this order: {now}, and {moved} returned True",
                   ru=f"{why}. В таком порядке: {now}, True вернули {moved}")  # fmt: skip

    return find_fault


def find_first_fault(program):
    """Return the first order of two transfers that fails and its fault, or nothing."""
    there_and_back = Bank(program, {"A": 50, "B": 50}, ("A", "B", 10), ("B", "A", 10))
    why = say(en="10 from A to B and 10 from B to A should leave 50 each",
              ru="после переводов 10 от A к B и 10 от B к A у обоих должно быть по 50")  # fmt: skip
    only_one = Bank(program, {"A": 10, "B": 0}, ("A", "B", 10), ("A", "B", 10))
    why_one = say(en="A has 10, so only one of two transfers of 10 may happen",
                  ru="у A есть только 10, и из двух переводов по 10 должен пройти один")  # fmt: skip
    for bank, expected, reason in (
        (there_and_back, ({"A": 50, "B": 50}, 2), why),
        (only_one, ({"A": 0, "B": 10}, 1), why_one),
    ):
        run, fault = try_orders(bank.open, make_finder(bank, expected, reason))
        if fault:
            return run, fault
    return None, ""


def has_waited(run):
    return any(event["kind"] == "waits" for event in run.trace.events)


def check(program):
    run, fault = find_first_fault(program)
    if fault:
        yield must(en=fault, ru=fault, trace=run.trace)
        return
    to_itself = Bank(program, {"A": 50}, ("A", "A", 10))
    if Run(to_itself.open()).run().stuck:
        yield should(en="a transfer from an account to itself waits for itself forever; with an RLock it would not",
                     ru="перевод самому себе ждёт сам себя вечно; с RLock этого не будет")  # fmt: skip
    apart = Bank(program, dict.fromkeys("ABCD", 50), ("A", "B", 10), ("C", "D", 10))
    run, waits = try_orders(apart.open, has_waited)
    if waits:
        yield remark(en="transfers between other accounts wait too, for there is one lock. That is simple, and often enough",
                     ru="замок один, и переводы между другими счетами тоже ждут. Это просто, и часто этого хватает")  # fmt: skip
    else:
        yield praise(en="no order loses money, and transfers between other accounts don't wait",
                     ru="деньги не теряются ни в одном порядке, а переводы между другими счетами не ждут")  # fmt: skip
