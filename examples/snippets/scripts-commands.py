"""Run three commands, two at a time, each with a time limit."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT
from contextlib import suppress

COMMANDS = [
    [sys.executable, "-c", "print('done')"],
    [sys.executable, "-c", "import sys; sys.exit('no such file')"],
    [sys.executable, "-c", "import time; time.sleep(60)"],
]


async def run(command, limit, seconds):
    async with limit:
        process = await asyncio.create_subprocess_exec(
            *command, stdout=PIPE, stderr=STDOUT, start_new_session=True
        )
        try:
            output, _ = await asyncio.wait_for(process.communicate(), seconds)
            return process.returncode, output.decode().strip()
        except (TimeoutError, asyncio.CancelledError) as error:
            with suppress(ProcessLookupError):  # all have ended meanwhile
                os.killpg(process.pid, signal.SIGKILL)  # the command and all that it started
            await process.wait()
            if isinstance(error, asyncio.CancelledError):
                raise
            return None, "took too long"


async def main():
    limit = asyncio.Semaphore(2)
    tasks = [run(command, limit, 5) for command in COMMANDS]
    for status, output in await asyncio.gather(*tasks):
        print(status, output)


if __name__ == "__main__":
    asyncio.run(main())
