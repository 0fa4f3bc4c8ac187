import asyncio


async def work():
    return asyncio.get_running_loop()


loops = {asyncio.run(work()) for _ in range(3)}
print("asyncio.run three times:", len(loops), "loops")
with asyncio.Runner() as runner:
    loops = {runner.run(work()) for _ in range(3)}
print("Runner.run three times:", len(loops), "loop")
