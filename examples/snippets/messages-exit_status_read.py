import asyncio
import os


def collect_children():
    os.waitpid(-1, 0)  # as a handler of SIGCHLD does


async def main():
    process = await asyncio.create_subprocess_exec("sleep", "1")
    collect_children()
    print("returncode", await process.wait())


asyncio.run(main())
