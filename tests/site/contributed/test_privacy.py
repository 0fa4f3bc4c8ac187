"""Texts that tell whose machine it was are taken out of results, and nothing else is."""

import pytest

from scripts.harness.declaration import Reason
from scripts.harness.record import Results
from scripts.site.contributed.send import strip
from tests.factories import make_interpreter, make_machine, make_record, replace


@pytest.mark.parametrize(
    ("told", "hidden"),
    [
        ("/home/jane/work of jane-laptop", "<home>/work of <name>"),
        ("192.168.7.4, 52:54:00:12:34:56", "<address>, <hardware address>"),
        ("4c4c4544-0042-3510-8052-b4c04f384d32", "<serial>"),
        ("GCC 12.2.0 alice@build.acme.example", "GCC 12.2.0 <mail>"),
        ("heads/acme-secret-branch:1a2b", "heads/<branch>:1a2b"),
        ("heads/main:1a2b, heads/3.14:1a2b", "heads/main:1a2b, heads/3.14:1a2b"),
        ("from 2001:db8::17 or fe80::1%eth0", "from <address> or <address>%eth0"),
        ("at 12:34:56 on ::1", "at 12:34:56 on ::1"),
        ("JANE and Jane, not Janet", "<name> and <name>, not Janet"),
        (r"C:\Users\Bob Smith\work", r"<home>\work"),
        (r"C:\\Users\\Bob Smith\\work", r"<home>\\work"),
        ("ghp_" + "a1" * 18 + " AKIA" + "A1" * 8, "<secret> <secret>"),
        ("https://user:pw@example.org/x", "https://<secret>@example.org/x"),
        (r"/home/\u0418\u0432/x", "<home>/x"),
        (r"\u0418\u0432\u0430\u043d", "<name>"),
        ("python@3.13", "python@3.13"),
        ("127.0.0.1:8000 served root in 0.5 s", "127.0.0.1:8000 served root in 0.5 s"),
    ],
)
def test_each_kind_of_private_text_is_taken_out(told: str, hidden: str) -> None:
    record = make_record(printed=told)
    reason = Reason("did-not-say", {"says": told})
    results = Results(
        machine=make_machine(hypervisor=told, container=told),
        interpreter=make_interpreter(build=told, compiler=told),
        records=(replace(record, stderr=told, reason=reason, packages={"a": told}),),
    )
    stripped = strip(results, ["jane", "jane-laptop", "Иван"])
    (record,) = stripped.records
    assert record.printed == record.stderr == hidden
    assert record.reason == Reason("did-not-say", {"says": hidden})
    assert record.packages == {"a": hidden}
    assert stripped.interpreter.build == stripped.interpreter.compiler == hidden
    assert stripped.machine.hypervisor == stripped.machine.container == hidden
