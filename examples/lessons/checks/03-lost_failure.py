"""Saves that fail, and six that are held until no other can begin and then end, the last first."""

from collections.abc import Iterator
from concurrent.futures import Future
from threading import Condition, Thread, current_thread
from time import sleep

from checks.failures import describe_error, failures
from checks.remarks import must, praise, remark, say, should
from checks.trace import Trace

AT_ONCE = 3
NAMES = ["sea.txt", "a.txt", "falcon.txt", "be.txt", "eagle.txt", "deer.txt"]
SIZES = [len(name) for name in NAMES]
PATIENCE = 150  # how often this check takes its turn before it says that no other save will begin


class Disk:
    """Where files are saved, but for those that there is no room for."""

    def __init__(self, full_for=()):
        self.full_for = full_for
        self.begun, self.ended = [], []
        self.is_sent_away = False

    def __reduce__(self):
        self.is_sent_away = True
        raise TypeError("this disk cannot be sent to another process")

    def save(self, name):
        if name in self.full_for:
            raise OSError(f"no room for {name}")
        self.ended.append(name)
        return len(name)


class SlowDisk(Disk):
    """A disk whose first saves are held until no other begins, and then end, the last first."""

    def __init__(self):
        super().__init__()
        self.changed = Condition()
        self.released = set()
        self.first = self.most = 0
        self.is_free = False
        self.threads = set()
        self.trace = Trace(NAMES)
        Thread(target=self.let_go, daemon=True).start()

    def save(self, name):
        with self.changed:
            self.begun.append(name)
            self.threads.add(current_thread())
            self.trace.add(name, "begins")
            self.most = max(self.most, len(self.begun) - len(self.ended))
            self.changed.wait_for(lambda: self.is_free or name in self.released)
            self.ended.append(name)
            self.trace.add(name, "ends")
            self.changed.notify_all()
        return len(name)

    def let_go(self):
        self.wait_for_begun(1, PATIENCE)
        self.wait_for_begun(AT_ONCE, PATIENCE)
        if len(self.begun) >= AT_ONCE:
            self.wait_for_begun(AT_ONCE + 1, PATIENCE // 5)
        with self.changed:
            self.first = len(self.begun)
            for name in reversed(self.begun[:AT_ONCE]):
                self.released.add(name)
                self.changed.notify_all()
                self.changed.wait_for(lambda name=name: name in self.ended)
            self.is_free = True
            self.changed.notify_all()

    def wait_for_begun(self, number, patience):
        """Let others have their turn until so many saves have begun, or patience has run out."""
        while len(self.begun) < number and patience:
            sleep(0.01)
            patience -= 1


def save_all(program, disk):
    """Return what the program returns, and what it raised where a save fails."""
    failures.clear()
    try:
        return program.save_all(disk.save, NAMES), None
    except Exception as error:
        if not disk.full_for:
            raise
        return None, error


def list_messages(error):
    """List what an exception says, with those in its group and those that led to it."""
    errors = [error, *getattr(error, "exceptions", ())]
    while error := error.__cause__ or error.__context__:
        errors.append(error)
    return [str(error) for error in errors]


def describe_lost(name, returned):
    if isinstance(returned, (list, tuple)) and any(isinstance(item, Future) for item in returned):
        return must(
            en=f"{name} could not be saved, and save_all raised nothing. It returned futures, in which sizes and exceptions wait for result()",
            ru=f"сохранить {name} не удалось, а save_all не выбросила исключения. Она вернула future: размеры и исключения ждут в них вызова result()",
        )  # fmt: skip
    if isinstance(returned, Iterator):
        return must(
            en=f"{name} could not be saved, and save_all raised nothing. It returned an iterator, and the exception waits in there until you read the results",
            ru=f"сохранить {name} не удалось, а save_all не выбросила исключения. Она вернула итератор, и исключение ждёт в нём, пока его не прочитают",
        )  # fmt: skip
    return must(
        en=f"{name} could not be saved, and save_all raised nothing. It returned {returned!r}",
        ru=f"сохранить {name} не удалось, а save_all не выбросила исключения. Она вернула {returned!r}",
    )  # fmt: skip


def describe_kept():
    """Say which error a future keeps, or nothing."""
    if not failures.futures:
        return ""
    error = describe_error(failures.futures[0])
    return say(en=f". A future keeps the reason: {error}", ru=f". Причину хранит future: {error}")


def describe_cause(disk):
    """Say why a save began only after another, or nothing."""
    if disk.threads == {current_thread()}:
        if failures.results:
            return say(en=". save ran in the thread that called save_all, before submit got it",
                       ru=". save работала в потоке, который вызвал save_all, ещё до submit")  # fmt: skip
        return say(en=". All ran in the thread that called save_all",
                   ru=". Все шли в том же потоке, который вызвал save_all")  # fmt: skip
    kinds = [event["kind"] for event in disk.trace.events]
    if kinds == ["begins", "ends"] * len(NAMES):
        return say(en=". Each began when the one before it had ended",
                   ru=". Каждое начиналось, когда закончилось предыдущее")  # fmt: skip
    return ""


def describe_unsaved(saved):
    return must(
        en=f"save_all returned when {saved} of {len(NAMES)} files were saved{describe_kept()}",
        ru=f"save_all закончилась, когда было сохранено файлов: {saved} из {len(NAMES)}{describe_kept()}",
    )


def find_fault_of_slow(program):
    """Return what is wrong with the order or the number of saves, or nothing."""
    disk = SlowDisk()
    sizes, _ = save_all(program, disk)
    if len(disk.ended) < len(NAMES):
        return describe_unsaved(len(disk.ended))
    if disk.most > AT_ONCE:
        return must(
            en=f"at most {AT_ONCE} saves at once, and here {disk.most} ran at once",
            ru=f"одновременно можно сохранять не больше {AT_ONCE} файлов, а здесь сохранялось {disk.most}",
        )  # fmt: skip
    if disk.first < AT_ONCE:
        cause = describe_cause(disk)
        return must(
            en=f"{disk.first} of {AT_ONCE} saves had begun when none could go on{cause}",
            ru=f"сохранений начато {disk.first} из {AT_ONCE}, и ни одно не могло продолжаться{cause}",
            trace=disk.trace,
        )  # fmt: skip
    if sizes not in (SIZES, tuple(SIZES)):
        return must(
            en=f"in the order of the names the sizes are {SIZES}, and save_all returned {sizes}",
            ru=f"в порядке имён размеры такие: {SIZES}, а save_all вернула {sizes}",
            trace=disk.trace,
        )  # fmt: skip
    return None


def check(program):
    disk = Disk()
    try:
        save_all(program, disk)
    except Exception:
        if failures.results:
            yield must(
                en=f"submit got {failures.results[0]!r} instead of a function. save had run before, in the thread that called save_all, and returned it",
                ru=f"submit получила {failures.results[0]!r} вместо функции: это вернула save, которая уже отработала в потоке, вызвавшем save_all",
            )  # fmt: skip
            return
        if not disk.is_sent_away:
            raise
    if disk.is_sent_away:
        yield must(
            en="save can't be sent to another process. Saving waits, and threads are enough for that",
            ru="передать save в другой процесс нельзя. Сохранение — это ожидание, и для него хватит потоков",
        )  # fmt: skip
        return
    if not disk.ended:
        yield describe_unsaved(0)
        return
    for name in NAMES:
        returned, error = save_all(program, Disk([name]))
        if error is None:
            yield describe_lost(name, returned)
            return
    if fault := find_fault_of_slow(program):
        yield fault
        return
    messages = list_messages(error)
    if f"no room for {name}" not in messages:
        yield should(
            en=f"save raised 'no room for {name}', and save_all raised {messages[0]!r}, which doesn't say why. Add from: raise … from error",
            ru=f"save выбросила 'no room for {name}', а save_all — {messages[0]!r}, и причина потерялась. Добавьте from: raise … from error",
        )  # fmt: skip
    _, error = save_all(program, Disk(NAMES[:2]))
    told = [name for name in NAMES[:2] if f"no room for {name}" in list_messages(error)]
    if len(told) == 2:
        yield praise(
            en="if two saves fail, the caller hears of both",
            ru="если не удались два сохранения, вызвавший узнает об обоих",
        )
    else:
        yield praise(
            en="no failure is lost, the sizes keep their order, and three saves run at once",
            ru="ни одна ошибка не теряется, размеры идут по порядку, и одновременно сохраняются три файла",
        )  # fmt: skip
        yield remark(
            en="if two saves fail, the caller hears of one only. To tell of both, ask each future for its exception() before you raise one",
            ru="если не удались два сохранения, вызвавший узнает только об одном. Чтобы сообщить об обоих, запросите exception() у каждой future, прежде чем выбросить исключение",
        )  # fmt: skip
