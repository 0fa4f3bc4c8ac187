import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import aiosqlite


async def deposit(bank: aiosqlite.Connection, turn: asyncio.Lock) -> None:
    async with turn:  # one transaction at a time on this connection
        try:
            await bank.execute("BEGIN IMMEDIATE")
            async with bank.execute("SELECT balance FROM account") as rows:
                (balance,) = await rows.fetchone()
            await bank.execute("UPDATE account SET balance = ?", [balance + 1])
        except BaseException:  # a cancelled task must not leave its transaction open
            await bank.rollback()
            raise
        await bank.commit()


async def main(path: Path) -> None:
    async with aiosqlite.connect(path, timeout=30, isolation_level=None) as bank:
        await bank.execute("PRAGMA journal_mode=WAL")
        await bank.execute("PRAGMA synchronous=NORMAL")
        await bank.execute("CREATE TABLE account (balance INTEGER)")
        await bank.execute("INSERT INTO account VALUES (0)")
        turn = asyncio.Lock()
        async with asyncio.TaskGroup() as group:
            for _ in range(200):
                group.create_task(deposit(bank, turn))
        async with bank.execute("SELECT balance FROM account") as rows:
            print("balance:", *await rows.fetchone())


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        asyncio.run(main(Path(folder) / "bank.db"))
