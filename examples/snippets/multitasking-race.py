import asyncio

balance = 100


async def withdraw(amount):
    global balance
    if balance >= amount:
        await asyncio.sleep(0)
        balance -= amount


async def main():
    async with asyncio.TaskGroup() as group:
        group.create_task(withdraw(100))
        group.create_task(withdraw(100))
    print("balance:", balance)


asyncio.run(main())
