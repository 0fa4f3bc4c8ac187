import asyncio


async def work(orders, undone):
    while True:
        order = await orders.get()
        try:
            await asyncio.sleep(0.05)  # the work
            print("done:", order)
        except asyncio.CancelledError:
            undone.append(order)  # quick, and without another await
            raise  # whoever cancelled is waiting for this


async def main():
    orders, undone = asyncio.Queue(), []
    for order in ("first", "second", "third"):
        orders.put_nowait(order)
    worker = asyncio.create_task(work(orders, undone))
    await asyncio.sleep(0.075)  # then somebody stops the service
    worker.cancel()
    await asyncio.gather(worker, return_exceptions=True)  # until it has cleaned up
    undone += [orders.get_nowait() for _ in range(orders.qsize())]
    print("for next time:", undone)


asyncio.run(main())
