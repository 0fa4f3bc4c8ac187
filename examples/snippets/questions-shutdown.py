import asyncio
import os
import signal

DEADLINE_S = 10


async def serve(stop):
    await stop.wait()  # takes in nothing new from here on
    await asyncio.sleep(0.1)  # and finishes what it has begun
    print("finished what was begun")


async def main():
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    async with asyncio.TaskGroup() as group:
        server = group.create_task(serve(stop))
        server.add_done_callback(lambda _: stop.set())  # it may end by itself
        await stop.wait()
        await asyncio.wait([server], timeout=DEADLINE_S)
        server.cancel()  # does nothing if it is done


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    signal.setitimer(signal.ITIMER_REAL, 0.1)  # somebody sends SIGTERM, here this program itself
    asyncio.run(main())
