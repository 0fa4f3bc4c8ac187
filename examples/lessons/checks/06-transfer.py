"""Two transfers at once between accounts, in all orders with few switches."""

from checks.remarks import must, praise, remark, say, should
from checks.schedule import Run, name_locks, take_over_locks, try_orders, watch, watch_variables

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
    """Say who waits for whom forever, or nothing."""
    waits = []
    for actor in run.stuck:
        if actor.spins_at and len(run.stuck) == len(run.actors):
            waits.append(say(en=f"{actor.name} goes round and round in line {actor.spins_at}",
                             ru=f"{actor.name} бесконечно крутится в строке {actor.spins_at}"))  # fmt: skip
            continue
        if actor.spins_at:
            waits.append(say(en=f"{actor.name} goes round and round in line {actor.spins_at}. If it waits there for a flag: both threads can see it free before either sets it, so take a Lock",
                             ru=f"{actor.name} бесконечно крутится в строке {actor.spins_at}. Если он ждёт там флага: оба потока могут увидеть его свободным раньше, чем один его поднимет, поэтому нужен Lock"))  # fmt: skip
            continue
        if actor.lock is None:
            waits.append(
                say(en=f"{actor.name} goes on and on", ru=f"{actor.name} работает без конца")
            )
            continue
        name, holders = actor.lock.label, ", ".join(holder.name for holder in actor.blockers)
        waits.append(say(en=f"{actor.name} waits for {name}, which {holders or 'nobody'} holds",
                         ru=f"{actor.name} ждёт {name}, а её " + (f"держит {holders}" if holders else "никто не держит")))  # fmt: skip
    if len(waits) > 1 and all(actor.lock for actor in run.stuck):
        return say(en=f"a deadlock, nobody goes on: {'; '.join(waits)}",
                   ru=f"взаимная блокировка, никто не идёт дальше: {'; '.join(waits)}")  # fmt: skip
    return "; ".join(waits)


def describe_kept(run):
    """Say who has ended without releasing what, or nothing."""
    return "; ".join(
        say(en=f"{actor.name} has ended and never released {lock.label}",
            ru=f"{actor.name} закончил работу, но не освободил {lock.label}")
        for actor, lock in run.kept
    )  # fmt: skip


def describe_flag(run):
    """Say of which variable both threads saw the same value before it changed, or nothing."""
    if any(event["kind"] == "takes" for event in run.trace.events):
        return ""
    seen = {}  # of each variable: its first value, and who saw it
    for event in run.trace.events:
        name, value = event["what"], event["value"]
        if event["kind"] not in ("reads", "writes") or "." in name:
            continue
        first, lanes = seen.setdefault(name, (value, set()))
        if event["kind"] == "reads" and value == first:
            lanes.add(event["lane"])
        elif len(lanes) > 1:
            return say(en=f". Both threads saw {name} as {first} before it changed: to look and to change are two steps. Only a lock makes them one",
                       ru=f". Оба потока увидели {name} со значением {first}, пока оно не изменилось: проверить и изменить — это два шага. Одним их делает только блокировка")  # fmt: skip
        else:
            lanes.clear()
            seen[name] = value, {event["lane"]} if event["kind"] == "reads" else set()
    return ""


def describe_locks(run):
    """Say if locks were taken, but none that both threads take; else nothing."""
    takers = {}
    for event in run.trace.events:
        if event["kind"] == "takes":
            takers.setdefault(event["what"], set()).add(event["lane"])
    if not takers or any(len(lanes) > 1 for lanes in takers.values()):
        return ""
    return say(en=". The two threads have no lock in common: one lock must stand in the way of both",
               ru=". Общей блокировки у потоков нет: нужна одна, которую захватывают оба")  # fmt: skip


def make_finder(bank, expected, why):
    """Return a function that says what is wrong with a run that is over, or nothing."""

    def find_fault(run):
        if run.errors:
            raise next(iter(run.errors.values()))
        if fault := describe_kept(run) or describe_stuck(run):
            return fault
        balances = bank.read_balances()
        moved = sum(map(bool, bank.moved.values()))
        if (balances, moved) == expected:
            return ""
        now = ", ".join(f"{name} {balance}" for name, balance in balances.items())
        if balances == expected[0]:
            return say(en=f"{why}. The balances are right, {now}, but {moved} of 2 transfers returned True",
                       ru=f"{why}. Остатки верны, {now}, но True вернули переводов: {moved} из 2")  # fmt: skip
        if not run.choices:
            return say(en=f"{why}. Even one after the other they leave {now}",
                       ru=f"{why}. Даже если выполнить их по очереди, останется {now}")  # fmt: skip
        return say(en=f"{why}. In this order they leave {now}",
                   ru=f"{why}. В таком порядке остаётся {now}") + (describe_locks(run) or describe_flag(run))  # fmt: skip

    return find_fault


def find_first_fault(program):
    """Return the first order of two transfers that fails and its fault, or nothing."""
    there_and_back = Bank(program, {"A": 50, "B": 50}, ("A", "B", 10), ("B", "A", 10))
    only_one = Bank(program, {"A": 10, "B": 0}, ("A", "B", 10), ("A", "B", 10))
    onward = Bank(program, {"A": 50, "B": 50, "C": 50}, ("A", "B", 10), ("B", "C", 10))
    for bank, expected, why in (
        (there_and_back, ({"A": 50, "B": 50}, 2),
         say(en="10 from A to B and 10 from B to A should leave 50 each",
             ru="после переводов 10 от A к B и 10 от B к A у обоих должно быть по 50")),
        (only_one, ({"A": 0, "B": 10}, 1),
         say(en="A has 10, so only one of two transfers of 10 can happen",
             ru="у A есть только 10, и из двух переводов по 10 должен пройти один")),
        (onward, ({"A": 40, "B": 50, "C": 60}, 2),
         say(en="10 from A to B and 10 from B to C should leave B as it was, at 50",
             ru="после переводов 10 от A к B и 10 от B к C у B должно остаться 50")),
    ):  # fmt: skip
        run, fault = try_orders(bank.open, make_finder(bank, expected, why))
        if fault:
            return run, fault
    return None, ""


def find_wait(run):
    """Return the name of a lock that a thread has waited for, or nothing."""
    waits = [event["what"] for event in run.trace.events if event["kind"] == "waits"]
    return waits[0] if waits else ""


def check(program):
    watch_variables(program)
    run, fault = find_first_fault(program)
    if fault:
        yield must(en=fault, ru=fault, trace=run.trace)
        return
    to_itself = Bank(program, {"A": 50}, ("A", "A", 10))
    if Run(to_itself.open()).run().stuck:
        yield should(en="a transfer from an account to itself waits for itself forever. With an RLock it wouldn't",
                     ru="перевод самому себе вечно ждёт сам себя; с RLock этого не будет")  # fmt: skip
    apart = Bank(program, dict.fromkeys("ABCD", 50), ("A", "B", 10), ("C", "D", 10))
    _, lock = try_orders(apart.open, find_wait)
    if lock:
        yield remark(en=f"transfers between different accounts can wait for {lock} too. One lock for all is simple, and often enough",
                     ru=f"пока один перевод держит {lock}, могут ждать и переводы между другими счетами. Одна блокировка на все счета — это просто, и часто её хватает")  # fmt: skip
        yield praise(en="no order that was tried loses money", ru="ни в одном из проверенных порядков деньги не теряются")  # fmt: skip
    else:
        yield praise(en="no order that was tried loses money, and transfers between different accounts don't wait",
                     ru="ни в одном из проверенных порядков деньги не теряются, а переводы между другими счетами не ждут")  # fmt: skip
